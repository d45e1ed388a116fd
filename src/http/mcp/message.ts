import * as z from "zod";

/** An agent's message, prepared for the protocol's library. */
export interface AgentMessage {
  /** The message with empty tool arguments, which the library always accepts. */
  readonly message: unknown;
  /** The arguments of the tool call, as sent. */
  readonly given: unknown;
  /** Whether it calls a tool. */
  readonly isCall: boolean;
}

const callSchema = z.looseObject({ method: z.literal("tools/call"), params: z.looseObject({ arguments: z.unknown().optional() }) });

/**
 * The library would reject arguments that are not an object, with its own error message. Therefore the arguments are
 * kept separately, and the operation validates them and answers with its own error.
 */
export function setArgumentsAside(message: unknown): AgentMessage {
  const call = callSchema.safeParse(message);
  if (!call.success) return { message, given: {}, isCall: false };
  const { arguments: given = {} } = call.data.params;
  return { message: { ...call.data, params: { ...call.data.params, arguments: {} } }, given, isCall: true };
}
