import { sha256Hex } from "../core/digest.ts";
import { isSealed, type SealKeys, sealOf } from "../core/seal.ts";

/** Hexadecimal digits of the seal: 48 bits, the last group of the UUID. */
const SEAL_LENGTH = 12;

/**
 * A new key: a random UUID whose last group is a seal that the service alone can compute. The other groups have 74 random bits. A key
 * with its seal is no guess, so it is looked up at once where guesses wait (rate-limits/refusals.ts).
 */
export async function newApiKey(keys: SealKeys): Promise<string> {
  const random = crypto.randomUUID().slice(0, -SEAL_LENGTH);
  return random + (await sealOf(keys, "api key", random, SEAL_LENGTH));
}

/** Whether the seal of a key is ours. A key from elsewhere, or whose encryption key is gone, has none, and works all the same. */
export function hasSeal(keys: SealKeys, key: string): Promise<boolean> {
  const text = key.toLowerCase();
  return isSealed(keys, "api key", text.slice(0, -SEAL_LENGTH), text.slice(-SEAL_LENGTH));
}

/** Keys are stored and looked up by the SHA-256 of their lower-case text (interface K.1). */
export function hashApiKey(key: string): Promise<string> {
  return sha256Hex(key.toLowerCase());
}
