import {
  type CallToolResult,
  createMcpHandler,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { KEY_HEADER } from "../authenticate.ts";
import { MOST_BYTES, rejectSize } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { failureOf } from "../failures.ts";
import { logUnexpected } from "../plain.ts";
import { type Tool, tools } from "./tools.ts";

const PATH = "/mcp";
/** An operation's body and what the protocol wraps around it. */
const MOST_MESSAGE_BYTES = 2 * MOST_BYTES;

const INSTRUCTIONS = `
Payment links, ruble payments and promotion codes for a partner, and what was paid.
Every result has "success"; when it is false, "error_code" says why and what to do is at /docs/errors.
Make up a client_token (or idempotency_key) for each new order and send the same one when you repeat the order: then nothing is made twice.
Amounts in requests are integers of minor units: 1900 is 19.00. Amounts of movements are in major units.
Give customers the short_url and nothing else.
`.trim();

/**
 * `/mcp`: the operations as tools, for agents, by the Model Context Protocol over Streamable HTTP. There are no
 * sessions, so any isolate answers any request. The key is the header's, looked at when a tool is called, so that a
 * wrong one is answered by the operation's own error. Which hosts serve this is the app's to say; an `Origin`, which
 * only browsers send, must be one of ours, so that no page elsewhere can have a browser call this.
 */
export function mcpRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .use(PATH, ownOrigin)
    .post(PATH, limitMessage, oneMessage)
    .all(PATH, (context) => serve(context, context.req.raw));
}

const ownOrigin = createMiddleware<AppEnv>(async (context, next) => {
  const { local, apiOrigin } = context.get("tools").settings;
  const allowed = local ? localhostAllowedOrigins() : [new URL(apiOrigin).hostname];
  return originValidationResponse(context.req.raw, allowed) ?? next();
});

const limitMessage = bodyLimit({
  maxSize: MOST_MESSAGE_BYTES,
  onError: () => protocolError(413, `The message must be at most ${MOST_MESSAGE_BYTES} bytes.`),
});

/** The library takes batches, which the protocol gave up in 2025: one request could be any number of calls. */
async function oneMessage(context: Context<AppEnv>): Promise<Response> {
  const text = await context.req.text();
  if (/^\s*\[/.test(text)) return protocolError(400, "Send one message in each request, not a batch.");
  const { url, method, headers, signal } = context.req.raw;
  return serve(context, new Request(url, { method, headers, signal, body: text }));
}

function serve(context: Context<AppEnv>, request: Request): Promise<Response> {
  // Nothing ever changes here, so there is nothing to listen for.
  return createMcpHandler(() => serverFor(context), { maxSubscriptions: 0 }).fetch(request);
}

/** An error of the protocol (JSON-RPC 2.0), before any message was read. */
function protocolError(status: 400 | 413, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32600, message }, id: null }, { status });
}

function serverFor(context: Context<AppEnv>): McpServer {
  const server = new McpServer(
    { name: "partner-payments", title: "Partner payments", version: "2" },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  for (const tool of tools) {
    const { name, summary, description, effect } = tool.operation;
    const annotations = {
      readOnlyHint: effect.readOnly,
      destructiveHint: effect.destructive,
      idempotentHint: effect.idempotent,
      openWorldHint: effect.openWorld,
    };
    const { inputSchema, outputSchema } = tool;
    server.registerTool(name, { title: summary, description, inputSchema, outputSchema, annotations }, (given) =>
      call(context, tool, given),
    );
  }
  return server;
}

/** The operation's HTTP body, as structured content and as text for clients that know no other. */
async function call(context: Context<AppEnv>, { operation, fixed }: Tool, given: unknown): Promise<CallToolResult> {
  const body = await invoke(context, operation, { ...(isObject(given) ? given : {}), ...fixed });
  return { content: [{ type: "text", text: JSON.stringify(body) }], structuredContent: { ...body }, isError: !body.success };
}

async function invoke(context: Context<AppEnv>, operation: Tool["operation"], body: object) {
  try {
    if (new TextEncoder().encode(JSON.stringify(body)).byteLength > MOST_BYTES) rejectSize();
    return await operation.invoke(context.get("tools"), context.req.header(KEY_HEADER), body);
  } catch (thrown) {
    logUnexpected(thrown, context, { tool: operation.name });
    return failureOf(operation.generation, thrown, context.get("requestId"));
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
