import { z } from "zod";

/** One message of an agent's, as far as it matters before the protocol's library reads it. */
interface AgentMessage {
  /** The message with arguments that the library lets pass, whatever they were. */
  readonly text: string;
  /** The arguments of a tool's call just as they were sent. */
  readonly given: unknown;
}

const callSchema = z.looseObject({ method: z.literal("tools/call"), params: z.looseObject({ arguments: z.unknown().optional() }) });

/**
 * Reads a message; null for a batch, which the protocol gave up in 2025: one request could be any number of calls.
 * Arguments that are no object would be refused in the library's words, where the operation has its own; so they are
 * kept aside, and the operation sees what was sent.
 */
export function readMessage(text: string): AgentMessage | null {
  const message = parse(text);
  if (Array.isArray(message)) return null;
  const call = callSchema.safeParse(message);
  if (!call.success) return { text, given: {} };
  const { arguments: given = {} } = call.data.params;
  return { text: JSON.stringify({ ...call.data, params: { ...call.data.params, arguments: {} } }), given };
}

/** What is no JSON is the library's to refuse. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
