import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { rejectInput, ServiceFailure } from "../core/errors.ts";
import { exceedsDepth, isWellFormed } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import { annotateTrace } from "../core/trace.ts";
import type { AppEnv } from "./context.ts";

/** Refuses a body that is too large as `onError` does, before it is read. @throws CallerGone */
export function limitBodyTo(maxSize: number, onError: (context: Context<AppEnv>) => Response): MiddlewareHandler<AppEnv> {
  const limit = bodyLimit({ maxSize, onError });
  return async (context, next) => {
    try {
      return await limit(context, next);
    } catch (thrown) {
      // Without a Content-Length, the body is read to measure it.
      throw thrown instanceof ServiceFailure ? thrown : callerGone(thrown);
    }
  };
}

/** {@link limitBodyTo} the limit of an operation. */
export const limitBody = limitBodyTo(limits.body.bytes, () => rejectSize());

export const rejectSize = rejectSizeOver(limits.body.bytes);

/** The refusal of a body above this number of bytes. */
export function rejectSizeOver(bytes: number): () => never {
  return () => rejectInput(`the body must be at most ${bytes} bytes`);
}

/** The caller hung up before the whole request had arrived. No answer is possible, and nothing is wrong on our side. */
export class CallerGone extends Error {
  override readonly name = "CallerGone";
}

/** The bytes of a body. Hono caches them. @throws CallerGone */
export async function bytesOf(request: Pick<HonoRequest, "arrayBuffer">): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (cause) {
    throw callerGone(cause);
  }
}

function callerGone(cause: unknown): CallerGone {
  annotateTrace({ isCallerGone: true });
  return new CallerGone("the connection closed before the whole request arrived", { cause });
}

/**
 * Parses a body as JSON of any shape. Hono caches the bytes, so later readers do not read the stream twice.
 * `orNone`: a missing body counts as an empty object. @throws ServiceFailure `invalid_input`.
 */
export async function readJson(request: Pick<HonoRequest, "arrayBuffer" | "header">, { orNone = false } = {}): Promise<unknown> {
  const bytes = await bytesOf(request);
  refuseEncoded(request);
  if (bytes.byteLength === 0) return orNone ? {} : rejectInput("the body is empty: send a JSON object");
  if (!/^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(request.header("Content-Type") ?? "")) {
    rejectInput("send the body as JSON, with the header Content-Type: application/json");
  }
  return parse(decodeText(bytes));
}

/** @throws ServiceFailure `invalid_input` for a compressed body: its bytes are no text. */
export function refuseEncoded(request: Pick<HonoRequest, "header">): void {
  const encoding = encodingOf(request);
  if (encoding !== null) rejectInput(compressedBody(encoding));
}

/** How a body is compressed; null for one that is not. */
export function encodingOf(request: Pick<HonoRequest, "header">): string | null {
  const encoding = request.header("Content-Encoding")?.trim().toLowerCase() ?? "";
  return encoding === "" || encoding === "identity" ? null : encoding;
}

/** What a caller that compresses its bodies reads. */
export const compressedBody = (encoding: string) =>
  `the body is compressed (Content-Encoding: ${encoding.slice(0, 20)}): send it uncompressed, without that header`;

/** Checks that a body is a JSON object with limited depth and valid text. @throws ServiceFailure `invalid_input`. */
export function checkReadable(body: unknown): asserts body is Record<string, unknown> {
  if (body === null || typeof body !== "object" || Array.isArray(body)) rejectInput("the body must be a JSON object");
  if (exceedsDepth(body, limits.body.depth)) rejectInput(`the body must not nest deeper than ${limits.body.depth} levels`);
  if (!isWellFormed(body)) rejectInput("the body contains half of a surrogate pair, which is not a valid character");
}

/** Rejects a body that is not a JSON object, before any other check. */
export const requireJsonObject = createMiddleware<AppEnv>(async (context, next) => {
  checkReadable(await readJson(context.req));
  await next();
});

/** Decodes a body as text. @throws ServiceFailure `invalid_input` for invalid UTF-8. */
export function decodeText(bytes: ArrayBuffer): string {
  return readUtf8(bytes) ?? rejectInput("the body is not valid UTF-8");
}

/** Decodes UTF-8; null for invalid bytes, instead of text with replacement characters. */
export function readUtf8(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return rejectInput("the body is not valid JSON");
  }
}
