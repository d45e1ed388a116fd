import type { IdCode } from "../core/cell-code.ts";
import { sha256Hex } from "../core/digest.ts";
import { canonicalJson } from "../core/json.ts";

/** The full scope of a key. Scopes that differ in any part are independent. */
export interface KeyScope {
  readonly partnerId: string;
  readonly generation: "v1" | "v2";
  readonly operation: string;
  /** The text of the key, as {@link keyTextOf} writes it. */
  readonly key: string;
}

/** The key of a request: the client's key, or the request's content if the client sent none. */
export type RequestKey = { readonly kind: "client"; readonly text: string } | { readonly kind: "content" };

/** The key of a request with a client's key, or with none. */
export const requestKeyOf = (text: string | undefined): RequestKey => (text === undefined ? { kind: "content" } : { kind: "client", text });

const CONTENT_PREFIX = "content:";

/** The stored form of a key: its kind, a colon, and the client's text; for content, the fingerprint of the request. */
export function keyTextOf(generation: "v1" | "v2", key: RequestKey, fingerprint: string): string {
  return key.kind === "content" ? CONTENT_PREFIX + fingerprint : clientKeyText(generation, key.text);
}

/** The stored text of a client's key: an `idempotency_key` of the first generation, a `client_token` of the second. */
export function clientKeyText(generation: "v1" | "v2", text: string): string {
  return `${generation === "v1" ? "key" : "token"}:${text}`;
}

/** The client's text in a stored key. `kind` is its name in the API. Null for a content key. */
export function clientKeyOf(key: string): { readonly kind: string; readonly text: string } | null {
  if (isContentKey(key)) return null;
  const end = key.indexOf(":");
  return { kind: key.slice(0, end), text: key.slice(end + 1) };
}

/** Whether a stored key is a content key. */
export function isContentKey(key: string): boolean {
  return key.startsWith(CONTENT_PREFIX);
}

/** The same condition in SQL, as a pattern of `LIKE`. */
export const CONTENT_KEY_PATTERN = `${CONTENT_PREFIX}%`;

/** The id of a key's record and of its Durable Object: the partner's id code, and a hash. */
export async function recordIdOf(code: IdCode, scope: KeyScope): Promise<string> {
  return code + (await shortHash([scope.partnerId, scope.generation, scope.operation, scope.key])).slice(code.length);
}

/** The hash of the request content. It does not depend on the order of JSON keys (interface F.12). */
export function fingerprintOf(content: unknown): Promise<string> {
  return shortHash(content);
}

/**
 * 32 characters. Each record stores two hashes permanently, and its link one, so the id code replaces two characters.
 */
async function shortHash(value: unknown): Promise<string> {
  return (await sha256Hex(canonicalJson(value))).slice(0, 32);
}

/**
 * The upstream idempotency key of a step. It is the same for all tries of one attempt, also after another instance
 * takes over, so upstream deduplicates the call. `variant` separates calls with different parameters.
 */
export async function upstreamKeyOf(
  { id, createdAt, attempt }: { readonly id: string; readonly createdAt: number; readonly attempt: number },
  step: string,
  variant: string,
): Promise<string> {
  // A record that was deleted and created again has the same id and attempt number, but another time.
  return `step_${await sha256Hex(canonicalJson([id, createdAt, attempt, step, variant]))}`;
}
