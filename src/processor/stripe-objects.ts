import { type JsonObject, jsonObjectSchema } from "../core/json.ts";
import type { ProcessorObject } from "./facts.ts";

/** The object of an expanded reference; null if the reference is only an id or null. */
export function expanded<Thing extends { id: string }>(reference: string | Thing | null): Thing | null {
  return typeof reference === "string" ? null : reference;
}

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}

/** The object as plain JSON, without secrets and without URLs of the processor's pages, which must never be shown. */
export function toObject(object: { id?: string; object: string }): ProcessorObject {
  const data: JsonObject = jsonObjectSchema.parse(
    JSON.parse(JSON.stringify(object, (key, value: unknown) => (HIDDEN.test(key) ? undefined : value))),
  );
  return { id: object.id ?? "", type: object.object, data };
}

/** `url`, `receipt_url`, `hosted_voucher_url`, `image_url_png`, `invoice_pdf`, `client_secret` and similar. */
const HIDDEN = /(^|_)(url|pdf|secret)(_|$)|^lastResponse$/;
