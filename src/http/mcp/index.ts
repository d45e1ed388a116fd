import {
  type CallToolResult,
  createMcpHandler,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { toServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { noteWork } from "../../core/work.ts";
import { keyHeadersOf } from "../authenticate.ts";
import { bytesOf, limitBodyTo, readUtf8, rejectSize } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, noteFailure, operationFailure, tooManyRequests } from "../error-response.ts";
import { cures } from "./cures.ts";
import { hints } from "./hints.ts";
import { type AgentMessage, setArgumentsAside } from "./message.ts";
import { agentTools, type Tool } from "./tools.ts";

const PATH = "/mcp";

/**
 * `/mcp`: the operations as tools for agents, by the Model Context Protocol over Streamable HTTP. There are no
 * sessions, so any isolate can answer any request. The API key comes from the header and is checked when a tool is
 * called, so a wrong key gets the operation's own error. The app decides which hosts serve this path. Only browsers
 * send `Origin`; it must be one of ours, so that no foreign page can make a browser call this.
 */
export function mcpRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .use(PATH, ownOrigin)
    .post(PATH, limitMessage, oneMessage)
    .all(PATH, (context) => serve(context));
}

const ownOrigin = createMiddleware<AppEnv>(async (context, next) => {
  const { local, apiOrigin } = context.get("deps").settings;
  const allowed = local ? localhostAllowedOrigins() : [new URL(apiOrigin).hostname];
  return originValidationResponse(context.req.raw, allowed) ?? next();
});

/** JSON-RPC error codes: not a valid request, not valid JSON in UTF-8, or an error on our side. */
const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;
const INTERNAL_ERROR = -32603;

/** Twice the limit of an operation's body: room for JSON escapes and the protocol's envelope. */
const MAX_MESSAGE_BYTES = 2 * limits.body.bytes;

const limitMessage = limitBodyTo(MAX_MESSAGE_BYTES, () =>
  protocolError(413, INVALID_REQUEST, `The message must be at most ${MAX_MESSAGE_BYTES} bytes.`),
);

/** Rejects batches. The protocol removed them in 2025: one request could contain any number of calls. */
async function oneMessage(context: Context<AppEnv>): Promise<Response> {
  const sent = parseMessage(await bytesOf(context.req));
  if (sent === undefined) return protocolError(400, PARSE_ERROR, "The message is not valid JSON in UTF-8.");
  if (Array.isArray(sent)) return protocolError(400, INVALID_REQUEST, "Send one message in each request, not a batch.");
  return serve(context, setArgumentsAside(sent));
}

/** Undefined if the bytes are not valid JSON in UTF-8. */
function parseMessage(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(readUtf8(bytes) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

/** Lets the protocol's library answer a request. `message` is missing for methods without a body. */
async function serve(context: Context<AppEnv>, { message, given, isCall = false }: Partial<AgentMessage> = {}): Promise<Response> {
  let fault: unknown;
  let limited: Response | null = null;
  const limit = (response: Response) => (limited = response);
  const handler = createMcpHandler(() => serverFor(context, given, limit), {
    // The tools never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (thrown) => (fault = thrown),
  });
  const response = await handler.fetch(context.req.raw, { parsedBody: message });
  if (response.status < 500) {
    if (!isCall) return response;
    // The library answers before the tool has: whether there were too many requests shows at the end of its answer.
    const whole = await response.arrayBuffer();
    return limited ?? new Response(whole, response);
  }
  logUnexpected(fault, context);
  noteWork({ outcome: "failed" });
  return protocolError(500, INTERNAL_ERROR, `Something failed on our side. Quote ${context.get("requestId")} to support.`);
}

/** A protocol error (JSON-RPC 2.0) that refers to no particular message. */
function protocolError(status: 400 | 413 | 500, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}

/** `limit` gets the answer if there were too many requests: it is none of a tool's. */
type Limit = (response: Response) => void;

function serverFor(context: Context<AppEnv>, given: unknown, limit: Limit): McpServer {
  const { apiOrigin } = context.get("deps").settings;
  const server = new McpServer(
    { name: "partner-payments", title: "Partner payments", version: "2" },
    { capabilities: { tools: { listChanged: false } }, instructions: instructionsFor(apiOrigin) },
  );
  for (const { operation, inputSchema, outputSchema, fixed } of agentTools) {
    const { name, summary: title, description, effect } = operation;
    const annotations = {
      readOnlyHint: effect.readOnly,
      destructiveHint: effect.destructive,
      idempotentHint: effect.idempotent,
      openWorldHint: effect.openWorld,
    };
    server.registerTool(
      name,
      { title, description: `${description}\n\n${hints[name] ?? ""}`, inputSchema, outputSchema, annotations },
      () => call(context, operation, given, { fixed, limit }),
    );
  }
  return server;
}

function instructionsFor(apiOrigin: string): string {
  return `Payment links, ruble payments and promotion codes for a partner, and what was paid.
Every result has "success"; when it is false, "error_code" says why, and ${apiOrigin}/docs/errors.md what to do.
Make up a client_token (or idempotency_key) for each new order and send the same one when you repeat the order: then nothing is made twice.
Amounts in requests are integers of minor units: 1900 is 19.00. Amounts of movements are in major units.
Give customers the short_url and nothing else.`;
}

/** Returns the operation's HTTP body as structured content, and as text for clients that support only text. */
async function call(
  context: Context<AppEnv>,
  operation: Tool["operation"],
  given: unknown,
  { fixed, limit }: { readonly fixed: Tool["fixed"]; readonly limit: Limit },
): Promise<CallToolResult> {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  // A key in the arguments is ignored: it must not be part of an agent's conversation.
  const body = await invoke(context, operation, isObject ? { ...given, ...fixed, api_key: undefined } : given, limit);
  const texts = [JSON.stringify(body), ...cureOf(body)];
  return { content: texts.map((text) => ({ type: "text", text })), structuredContent: { ...body }, isError: !body.success };
}

/** What to do about a failure, as a second text: the body itself is the operation's. */
function cureOf(body: object): readonly string[] {
  const code = "error_code" in body && typeof body.error_code === "string" ? body.error_code : "";
  return code in cures ? [cures[code] ?? ""] : [];
}

async function invoke(context: Context<AppEnv>, operation: Tool["operation"], body: unknown, limit: Limit) {
  try {
    if (new TextEncoder().encode(JSON.stringify(body)).byteLength > limits.body.bytes) rejectSize();
    return await operation.invoke(context.get("deps"), keyHeadersOf(context.req), body);
  } catch (thrown) {
    logUnexpected(thrown, context, { tool: operation.name });
    const error = toServiceError(thrown);
    if (error.kind !== "rate_limited") return operationFailure(operation.generation, error, context);
    noteFailure(error);
    limit(tooManyRequests(context, error.message, error.retryAfter));
    return { success: false, error: error.message };
  }
}
