import { createMcpHandler, localhostAllowedOrigins, originValidationResponse } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { toServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Grantee } from "../../grants/grantee.ts";
import { admitRequest } from "../../rate-limits/admission.ts";
import { bytesOf, compressedBody, encodingOf, limitBodyTo, readUtf8 } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, namingSupport, noteFailure, tooManyRequests } from "../error-response.ts";
import { challenge } from "../oauth/challenge.ts";
import type { OAuthServer } from "../oauth/server.ts";
import { credentialsOf } from "./caller.ts";
import { type AgentMessage, setArgumentsAside } from "./message.ts";
import { type CallFindings, serverFor } from "./server.ts";

const BOTH = "application/json, text/event-stream";

/** Whether a host accepts the event stream by name; a wildcard does not count. */
function namesStream(accept: string): boolean {
  return /text\/(event-stream|\*)/i.test(accept);
}

/**
 * The message for the MCP library, which refuses a host that does not accept both types. Hosts send one type, any type
 * or none; the answer is the same. The body has already been read.
 */
function acceptingBoth({ url, method, headers }: Request): Request {
  const own = new Headers(headers);
  own.set("Accept", BOTH);
  return new Request(url, { method, headers: own });
}

/** The library's answer in the type that the host accepts: one JSON message, unless the host names the event stream. */
async function inAcceptedType(response: Response, accept: string): Promise<Response> {
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
  if (!isStream || namesStream(accept)) return response;
  const messages = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const headers = new Headers(response.headers);
  headers.set("Content-Type", "application/json");
  // A call has one answer; earlier messages are notifications.
  return new Response(messages.at(-1)?.slice("data: ".length) ?? "", { status: response.status, headers });
}

/** Some hosts put a slash behind an address. */
const PATHS = ["/mcp", "/mcp/"];

/**
 * `/mcp`: the operations as tools for agents, by the Model Context Protocol over Streamable HTTP. There are no
 * sessions, so any isolate can answer any request. The API key comes from the header and is checked when a tool is
 * called, so a wrong key gets the operation's own error. Hosts that cannot send it sign in (`../oauth`). The app
 * decides which hosts serve this path. Only browsers send `Origin`; it must be one of ours, so that no foreign page can
 * make a browser call this.
 */
export function mcpRoutes(oauth: OAuthServer): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .use("/mcp/*", ownOrigin)
    .on("POST", PATHS, limitMessage, (context) => oneMessage(context, oauth))
    .on("ALL", PATHS, (context) => serve(context, oauth));
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
async function oneMessage(context: Context<AppEnv>, oauth: OAuthServer): Promise<Response> {
  const encoding = encodingOf(context.req);
  if (encoding !== null) return protocolError(400, PARSE_ERROR, `${compressedBody(encoding)}.`);
  const sent = parseMessage(await bytesOf(context.req));
  if (sent === undefined) return protocolError(400, PARSE_ERROR, "The message is not valid JSON in UTF-8.");
  if (Array.isArray(sent)) return protocolError(400, INVALID_REQUEST, "Send one message in each request, not a batch.");
  return serve(context, oauth, setArgumentsAside(sent));
}

/** Undefined if the bytes are not valid JSON in UTF-8. */
function parseMessage(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(readUtf8(bytes) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Passes a request to the MCP library. `message` is missing for methods without a body. An invalid token is refused for
 * every message, so that its holder renews it. A call without key and token gets the operation's answer with 401, which
 * makes a host sign in.
 */
async function serve(
  context: Context<AppEnv>,
  oauth: OAuthServer,
  { message, given, isCall = false }: Partial<AgentMessage> = {},
): Promise<Response> {
  const credentials = await credentialsOf(context, oauth);
  if (credentials === null) {
    annotateTrace({ outcome: "refused", code: "invalid_token" });
    return challenge(protocolError(401, INVALID_REQUEST, "The token is invalid or has expired. Sign in again."), oauth, "invalid_token");
  }
  if (credentials.by === "key" && (credentials.header ?? "") === "" && asksToSignIn(context.req.url)) {
    return challenge(protocolError(401, INVALID_REQUEST, "Sign in, or send a key."), oauth);
  }
  if (credentials.by === "grant" && !isCall) {
    const refusal = await refusalOf(context, credentials.grantee);
    if (refusal !== null) return refusal;
  }
  let fault: unknown;
  const findings: CallFindings = {};
  const handler = createMcpHandler(() => serverFor(context, credentials, given, findings), {
    // The tools never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (thrown) => (fault = thrown),
  });
  const { raw } = context.req;
  const request = raw.method === "POST" ? acceptingBoth(raw) : raw;
  const answered = await handler.fetch(request, { parsedBody: message });
  const response = await inAcceptedType(answered, context.req.header("Accept") ?? "");
  if (response.status < 500) {
    if (!isCall) return response;
    // The library answers before the tool has finished. The findings of the call are complete at the end of the answer.
    const whole = new Response(await response.arrayBuffer(), response);
    const { limited, isUnknownCaller, hasRun = false } = findings;
    if (limited !== undefined) return Response.json(limited.body, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
    // A call that the library refused is counted by no operation.
    const refusal = hasRun || credentials.by !== "grant" ? null : await refusalOf(context, credentials.grantee);
    if (refusal !== null) return refusal;
    return isUnknownCaller === true ? challenge(whole, oauth) : whole;
  }
  logUnexpected(fault, context);
  annotateTrace({ outcome: "failed" });
  const said = `Something failed on our side. Quote ${context.get("requestId")} to support.`;
  return protocolError(500, INTERNAL_ERROR, namingSupport(context.get("deps").settings, said));
}

/** A budget of messages other than calls. Each grant has its own, so agents do not affect one another; all of a partner have one, too. */
const messagesOf = (partnerId: string, whose: string) =>
  ({ partnerId, kind: "read", permission: `messages ${whose}`, environment: "any" }) as const;

/** Other messages cost a look-up of the grant, so they are counted. Null: allowed. */
async function refusalOf(context: Context<AppEnv>, { caller, grantId }: Grantee): Promise<Response | null> {
  annotateTrace({ partner: caller.partnerId, grant: grantId });
  const { rateLimits } = context.get("deps");
  const admitted = await orTooMany(context, async () => {
    await admitRequest(rateLimits, messagesOf(caller.partnerId, grantId));
    await admitRequest(rateLimits, messagesOf(caller.partnerId, "of agents"));
  });
  return admitted instanceof Response ? admitted : null;
}

/** The result of some work, or HTTP 429 if a rate limit is reached. */
async function orTooMany<Result>(context: Context<AppEnv>, work: () => Promise<Result>): Promise<Result | Response> {
  try {
    return await work();
  } catch (thrown) {
    const error = toServiceError(thrown);
    if (error.kind !== "rate_limited") throw thrown;
    noteFailure(error);
    return tooManyRequests(context, error.message, error.retryAfter);
  }
}

/** Some hosts only sign in if their first request is refused. They use the address with `?sign_in=1`. */
function asksToSignIn(url: string): boolean {
  return new URL(url).searchParams.has("sign_in");
}

/** A protocol error (JSON-RPC 2.0) that refers to no particular message. */
function protocolError(status: 400 | 401 | 413 | 500, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
