import * as z from "zod";
import { agentTools } from "./tools.ts";

/** An agent's message, prepared for the protocol's library. */
export interface AgentMessage {
  /** The message with empty tool arguments, which the library always accepts. */
  readonly message: unknown;
  /** The arguments of the tool call, as sent; an empty object for none and for null. */
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

/** Some hosts send `params: null` where there are none. */
function withoutNull(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("params" in message) || message.params !== null) return message;
  const { params: _, ...rest } = message;
  return rest;
}

/**
 * The library would reject arguments that are not an object, with its own error message. So they are kept aside, and
 * the operation validates them with its own error.
 */
export function setArgumentsAside(sent: unknown): AgentMessage {
  const message = withoutNull(sent);
  const call = callSchema.safeParse(message);
  // Without an id it is a notification, of which no tool runs.
  const hasId = typeof message === "object" && message !== null && "id" in message;
  if (!call.success) return { message, given: {}, isCall: false };
  const given = call.data.params.arguments ?? {};
  return {
    message: { ...call.data, params: { ...call.data.params, arguments: {} } },
    given,
    isCall: isTool(call.data.params.name) && hasId,
  };
}
