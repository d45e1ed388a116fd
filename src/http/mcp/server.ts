import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Context } from "hono";
import * as z from "zod";
import { toServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Credentials } from "../authenticate.ts";
import { checkReadable, rejectSize } from "../body.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { cureOf } from "../cures.ts";
import { DRY_RUN_ARGUMENT, refuseDryRun } from "../dry-run.ts";
import { logUnexpected, namingSupport, noteFailure, operationFailure } from "../error-response.ts";
import { limitedFailure } from "../generation.ts";
import { readList } from "../list-stream.ts";
import { REFUSALS } from "../partner/codes.ts";
import { createPromotionCode } from "../v1/create-promotion-code.ts";
import { operations } from "../v2/index.ts";
import { invokeConfirmed } from "./confirm.ts";
import { registerDocuments } from "./documents.ts";
import { registerPrompts } from "./prompts.ts";
import { agentTools, type Tool } from "./tools.ts";

/** Findings of a call that HTTP answers instead of the tool. */
export interface CallFindings {
  /** Whether the tool ran: the library refuses some calls before. */
  hasRun?: boolean;
  /** Rate limited: the operation's answer, and the seconds to wait. */
  limited?: { readonly body: object; readonly retryAfter: number };
  /** Neither a key nor a token was sent. */
  isUnknownCaller?: boolean;
}

/** The tools, for one message. `given` are the arguments of its call; `findings` collects what HTTP answers. */
export function serverFor(context: Context<AppEnv>, credentials: Credentials, given: unknown, findings: CallFindings): McpServer {
  const { apiOrigin } = context.get("deps").settings;
  const server = new McpServer(
    { name: "partner-payments", title: "Partner payments", version: "2" },
    {
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false }, resources: { listChanged: false } },
      instructions: instructionsFor(apiOrigin),
    },
  );
  for (const tool of agentTools) {
    const { operation, description, inputSchema, outputSchema } = tool;
    const { name, title, effect } = operation;
    // The others say nothing of a tool that only reads.
    const ofChange = { destructiveHint: effect.destructive, idempotentHint: effect.idempotent };
    const annotations = { readOnlyHint: effect.readOnly, ...(effect.readOnly ? {} : ofChange), openWorldHint: effect.openWorld };
    const described = { title, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
    server.registerTool(name, described, (_none: unknown, request: ServerContext) =>
      call(context, tool, { credentials, given, findings, request }),
    );
  }
  registerPrompts(server);
  registerDocuments(server, context.get("deps"), new URL(context.req.url).origin);
  return server;
}

function instructionsFor(apiOrigin: string): string {
  return `Payment links, ruble payments and promotion codes for a partner, and what was paid.
Every result has "success"; when it is false, "error_code" says why, and ${apiOrigin}/docs/errors.md what to do.
With "dry_run": true a creation makes nothing and says what it would make, at what price.
CONFIRMATION_REQUIRED: give the person the link, and repeat the same call once they have confirmed it.
Create a client_token (or idempotency_key) for each new order and send the same one when you repeat the order: then nothing is created twice.
Lists take environment (live or test; left out: both), since and until (a time, or a date of the partner's time zone), limit (1 to 100) and cursor (the "next" of the page before; null: the end).
Amounts in requests are integers of minor units: 1900 is 19.00. Amounts of movements are in major units.
Give customers the short_url and nothing else.`;
}

interface Call {
  readonly credentials: Credentials;
  readonly given: unknown;
  readonly findings: CallFindings;
  readonly request: Pick<ServerContext, "mcpReq">;
}

/** Returns the operation's HTTP body as structured content, and as text for clients that support only text. */
async function call(
  context: Context<AppEnv>,
  { operation, fixed }: Tool,
  { credentials, given, findings, request }: Call,
): Promise<CallToolResult | InputRequiredResult> {
  findings.hasRun = true;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  // A key in the arguments is ignored: it must not be part of an agent's conversation.
  const sent: unknown = isObject ? { ...given, ...fixed, api_key: undefined } : given;
  const { body, isCut } = await invoke(context, operation, { credentials, given: sent, findings });
  const url = "confirmation_url" in body && typeof body.confirmation_url === "string" ? body.confirmation_url : null;
  if (url !== null && mayOpen(request)) {
    const message = `${operation.title}: confirm what it would make, with your passkey. Then come back here.`;
    return inputRequired({ inputRequests: { confirmation: inputRequired.elicitUrl({ message, url }) } });
  }
  const whole = isCut === true ? { ...body, note: CUT } : body;
  const texts = [toToolText(whole), ...cureWords(body, operation.effect.readOnly)];
  return { content: texts.map((text) => ({ type: "text", text })), structuredContent: { ...whole }, isError: !body.success };
}

const opensPages = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({ url: z.looseObject({}) }) }),
});

/**
 * Whether the host can open a page for its person and then repeat the call by itself (revision 2026-07-28). Once it has, a request that
 * still waits is answered as to other hosts: how long a person takes is not known.
 */
function mayOpen({ mcpReq }: Call["request"]): boolean {
  return mcpReq.inputResponses === undefined && opensPages.safeParse(mcpReq.envelope).success;
}

/** Entries of a list that an agent gets, or some more: over HTTP the list is a stream, but a message is made in memory. */
const MOST_ENTRIES = limits.agents.entries;
const CUT = "There are more than these, which are the newest. list-partner-payment-links has all, in pages.";

/** The maximum length of a body that is repeated as text, in characters. */
const LONGEST_TEXT = 2_000;
/** Entries of a list that the text shows. */
const SHOWN = 3;

/**
 * The body as text, for hosts that only read text. The structured content is complete, so the text of a long list is
 * cut: it has the number of entries and the first ones.
 */
export function toToolText(body: object): string {
  const all = JSON.stringify(body);
  if (all.length <= LONGEST_TEXT) return all;
  const cut = Object.entries(body).map(([name, value]: [string, unknown]): [string, unknown] => {
    if (!Array.isArray(value) || value.length <= SHOWN) return [name, value];
    const first: readonly unknown[] = value.slice(0, SHOWN);
    return [name, [...first, `and ${value.length - SHOWN} more`]];
  });
  const note = "note" in body ? body.note : "The structured content has all of it.";
  const text = JSON.stringify({ ...Object.fromEntries(cut), note });
  return text.length < all.length ? text : all;
}

/** What to do about a failure, as a second text, because the body belongs to the operation. A read needs no token. */
function cureWords(body: object, isReadOnly: boolean): readonly string[] {
  const code = "error_code" in body && typeof body.error_code === "string" ? body.error_code : "";
  const message = "error_message" in body && typeof body.error_message === "string" ? body.error_message : null;
  const cure = cureOf(code, message);
  if (cure === undefined) return [];
  return [`Cure: ${cure.cure} Repeat: ${isReadOnly ? "As often as you like: the operation is read-only." : cure.repeat}`];
}

/** Whether partners find the operation's requests: it is one of the eleven. */
const isListed = (name: string) => name === createPromotionCode.name || operations.some((one) => one.name === name);

/** The arguments of an operation, and the one that asks for a dry run. */
function withoutDryRun(given: unknown): { body: unknown; dryRun?: unknown } {
  if (typeof given !== "object" || given === null || Array.isArray(given) || !(DRY_RUN_ARGUMENT in given)) return { body: given };
  const { [DRY_RUN_ARGUMENT]: dryRun, ...body } = given;
  return { body, dryRun };
}

/** `isCut`: whether the list of the answer goes on. */
async function invoke(
  context: Context<AppEnv>,
  operation: Tool["operation"],
  { credentials, given, findings }: Omit<Call, "request">,
): Promise<{ readonly body: { readonly success: boolean }; readonly isCut?: boolean }> {
  try {
    checkReadable(given);
    if (new TextEncoder().encode(JSON.stringify(given)).byteLength > limits.body.bytes) rejectSize();
    // A host may send the same headers with each call.
    if (!operation.effect.readOnly) refuseDryRun(context.req.raw.headers);
    const asked = operation.hasDryRun === true ? withoutDryRun(given) : { body: given };
    const answer = await invokeConfirmed(context.get("deps"), operation, credentials, asked);
    const { whole, isCut } = await readList(answer, MOST_ENTRIES);
    return { body: whole, isCut };
  } catch (thrown) {
    if (thrown instanceof CallRefusal) {
      const code = thrown.code ?? REFUSALS[thrown.status];
      annotateTrace({ outcome: "refused", code });
      const body = { success: false, error_code: code, error_message: namingSupport(context.get("deps").settings, thrown.message) };
      return { body };
    }
    logUnexpected(thrown, context, { tool: operation.name });
    const error = toServiceError(thrown);
    findings.isUnknownCaller = error.kind === "key_missing" || error.kind === "query_key_missing";
    if (error.kind !== "rate_limited")
      return { body: operationFailure(operation.generation, error, context, isListed(operation.name) ? operation.name : null, given) };
    noteFailure(error);
    const body = limitedFailure(operation.generation, error.message);
    findings.limited = { body, retryAfter: error.retryAfter };
    return { body };
  }
}
