import * as z from "zod";
import { agentTools } from "./tools.ts";

/** An agent's message, prepared for the protocol's library. */
export interface AgentMessage {
  /** The message with empty tool arguments, which the library always accepts. */
  readonly message: unknown;
  /** The arguments of the tool call, as sent. */
  readonly given: unknown;
  /** Whether it calls one of the tools. Calls are counted by their operation, and all other messages by /mcp. */
  readonly isCall: boolean;
}

const callSchema = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ name: z.unknown(), arguments: z.unknown().optional() }),
});

const names: ReadonlySet<unknown> = new Set(agentTools.map(({ operation }) => operation.name));
const isTool = (name: unknown) => names.has(name);

/**
 * The library would reject arguments that are not an object, with its own error message. So they are kept aside, and
 * the operation validates them with its own error.
 */
export function setArgumentsAside(message: unknown): AgentMessage {
  const call = callSchema.safeParse(message);
  if (!call.success) return { message, given: {}, isCall: false };
  const { arguments: given = {} } = call.data.params;
  return { message: { ...call.data, params: { ...call.data.params, arguments: {} } }, given, isCall: isTool(call.data.params.name) };
}
