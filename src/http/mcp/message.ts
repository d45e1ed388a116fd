import { z } from "zod";

/** One message of an agent's, as far as it matters before the protocol's library reads it. */
export interface AgentMessage {
  /** The message with arguments that the library lets pass, whatever they were. */
  readonly message: unknown;
  /** The arguments of a tool's call just as they were sent. */
  readonly given: unknown;
}

const callSchema = z.looseObject({ method: z.literal("tools/call"), params: z.looseObject({ arguments: z.unknown().optional() }) });

/**
 * Arguments that are no object would be refused in the library's words, where the operation has its own; so they are
 * kept aside, and the operation sees what was sent.
 */
export function setArgumentsAside(message: unknown): AgentMessage {
  const call = callSchema.safeParse(message);
  if (!call.success) return { message, given: {} };
  const { arguments: given = {} } = call.data.params;
  return { message: { ...call.data, params: { ...call.data.params, arguments: {} } }, given };
}
