import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { rejectInput } from "../core/errors.ts";
import { deeperThan, isWellFormed } from "../core/json.ts";
import type { AppEnv } from "./context.ts";

/** How large the body of an operation may be. */
export const MOST_BYTES = 64 * 1024;
/** Our deepest body nests three containers; this leaves room for unknown fields, which are ignored. */
const DEEPEST = 16;

/** Refuses a body over 64 KiB before it has been read. */
export const limitBody = bodyLimit({
  maxSize: MOST_BYTES,
  onError: rejectSize,
});

export function rejectSize(): never {
  return rejectInput(`the body must be at most ${MOST_BYTES} bytes`);
}

/** An operation that asks nothing may be called without a body, as if with an empty object. */
export const takeNoBodyAsEmpty = createMiddleware<AppEnv>(async ({ req }, next) => {
  const hasNone = req.raw.body === null || req.header("Content-Length") === "0";
  if (hasNone) {
    const headers = new Headers(req.raw.headers);
    headers.set("Content-Type", "application/json");
    headers.delete("Content-Length");
    req.raw = new Request(req.raw.url, { method: req.method, headers, body: "{}" });
  }
  await next();
});

/**
 * Makes sure that the body is a JSON object, before anything else is looked at. Hono keeps the bytes, so that the
 * validator behind it reads no stream twice. @throws ServiceFailure `invalid_input`.
 */
export const requireJsonObject = createMiddleware<AppEnv>(async (context, next) => {
  if (!/^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(context.req.header("Content-Type") ?? "")) {
    rejectInput("send the body as JSON, with the header Content-Type: application/json");
  }
  checkReadable(parse(decodeText(await context.req.arrayBuffer())));
  await next();
});

/** Makes sure that a body is an object that can be worked with, whatever it says. @throws ServiceFailure `invalid_input`. */
export function checkReadable(body: unknown): void {
  if (body === null || typeof body !== "object" || Array.isArray(body)) rejectInput("the body must be a JSON object");
  if (deeperThan(body, DEEPEST)) rejectInput(`the body must not nest deeper than ${DEEPEST} levels`);
  if (!isWellFormed(body)) rejectInput("the body holds half of a surrogate pair, which is no character");
}

/** The text of a body; bytes that are no UTF-8 are refused instead of replaced by something that was not sent. */
export function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return rejectInput("the body is not valid UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return rejectInput("the body is not valid JSON");
  }
}
