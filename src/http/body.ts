import type { HonoRequest } from "hono";
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

/**
 * The JSON of a body, whatever it says. Hono keeps the bytes, so that whoever reads behind this reads no stream twice.
 * `orNone`: no body at all is an empty object. @throws ServiceFailure `invalid_input`.
 */
export async function readJson(request: HonoRequest, { orNone = false } = {}): Promise<unknown> {
  const bytes = await request.arrayBuffer();
  if (orNone && bytes.byteLength === 0) return {};
  if (!/^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(request.header("Content-Type") ?? "")) {
    rejectInput("send the body as JSON, with the header Content-Type: application/json");
  }
  return parse(decodeText(bytes));
}

/** Makes sure that a body is an object that can be worked with. @throws ServiceFailure `invalid_input`. */
export function checkReadable(body: unknown): asserts body is Record<string, unknown> {
  if (body === null || typeof body !== "object" || Array.isArray(body)) rejectInput("the body must be a JSON object");
  if (deeperThan(body, DEEPEST)) rejectInput(`the body must not nest deeper than ${DEEPEST} levels`);
  if (!isWellFormed(body)) rejectInput("the body holds half of a surrogate pair, which is no character");
}

/** Refuses what is no JSON object, before anything else is looked at. */
export const requireJsonObject = createMiddleware<AppEnv>(async (context, next) => {
  checkReadable(await readJson(context.req));
  await next();
});

/** The text of a body. @throws ServiceFailure `invalid_input` for bytes that are none. */
export function decodeText(bytes: ArrayBuffer): string {
  return readUtf8(bytes) ?? rejectInput("the body is not valid UTF-8");
}

/** Bytes as text; null where they are no UTF-8, instead of text with something in it that was not sent. */
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
