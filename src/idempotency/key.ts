import { sha256Hex } from "../core/digest.ts";
import { canonicalJson } from "../core/json.ts";

/** A key's whole scope: two of these that differ in any part never meet. */
export interface KeyScope {
  readonly partnerId: string;
  readonly generation: "v1" | "v2";
  readonly operation: string;
  /** `token:`, `key:` or `content:` and what the client sent, or what its request says. */
  readonly key: string;
}

/** The id of a key's record and of its Durable Object. */
export function recordIdOf(scope: KeyScope): Promise<string> {
  return sha256Hex(canonicalJson([scope.partnerId, scope.generation, scope.operation, scope.key]));
}

/** What a request asks for, as a hash: equal for equal requests, whatever the order of their JSON keys. */
export function fingerprintOf(content: unknown): Promise<string> {
  return sha256Hex(canonicalJson(content));
}

/**
 * The key under which a step's call goes upstream. The same for every try of one attempt, also after a takeover, so
 * that the upstream itself refuses to do it twice. `variant` tells calls apart whose parameters differ.
 */
export async function upstreamKeyOf(recordId: string, attempt: number, step: string, variant: string): Promise<string> {
  return `step_${await sha256Hex(canonicalJson([recordId, attempt, step, variant]))}`;
}
