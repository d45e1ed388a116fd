import { sha256Hex } from "../core/digest.ts";
import { isSealed, type SealKeys, sealOf } from "../core/seal.ts";

/** Hexadecimal digits of the seal: 48 bits, the last group of the UUID. */
const SEAL_LENGTH = 12;

/**
 * A new key: a random UUID whose last group is a seal that only this service can compute. The other groups have 74
 * random bits. A key with a seal is not a guess, so it is looked up at once, while guesses wait
 * (rate-limits/refusals.ts).
 */
export async function newApiKey(keys: SealKeys): Promise<string> {
  const random = crypto.randomUUID().slice(0, -SEAL_LENGTH);
  return random + (await sealOf(keys, "api key", random, SEAL_LENGTH));
}

/**
 * Whether one of our keys made the seal of an API key. A key that was imported, or whose encryption key was removed,
 * has no valid seal, but still works.
 */
export function hasSeal(keys: SealKeys, key: string): Promise<boolean> {
  const text = key.toLowerCase();
  return isSealed(keys, "api key", text.slice(0, -SEAL_LENGTH), text.slice(-SEAL_LENGTH));
}

/** Keys are stored and looked up by the SHA-256 of their lower-case text (interface K.1). */
export function hashApiKey(key: string): Promise<string> {
  return sha256Hex(key.toLowerCase());
}

/** How many characters of a key are shown, so that its holder recognises it. */
const HINT_LENGTH = 4;

/** The last characters of a key. */
export const hintOf = (key: string): string => key.trim().slice(-HINT_LENGTH);
