import { hmacSha256Hex } from "./digest.ts";
import type { Settings } from "./settings.ts";

export type SealKeys = Settings["encryptionKeys"];

/** What a seal is for: the seal of one purpose is worth nothing for another. */
type Purpose = "oauth token" | "api key";

/** A MAC of the text by our current key, as hexadecimal digits. Only the service can compute it. */
export function sealOf(keys: SealKeys, purpose: Purpose, text: string, digits: number): Promise<string> {
  return compute(keys.keys[keys.current] ?? "", purpose, text, digits);
}

/** Whether a seal was made by one of our keys. Each of them is tried, since what was sealed outlives a change of the key. */
export async function isSealed(keys: SealKeys, purpose: Purpose, text: string, seal: string): Promise<boolean> {
  const seals = await Promise.all(Object.values(keys.keys).map((key) => compute(key, purpose, text, seal.length)));
  return seals.some((right) => isEqual(right, seal));
}

async function compute(key: string, purpose: Purpose, text: string, digits: number): Promise<string> {
  return (await hmacSha256Hex(`${purpose} ${key}`, new TextEncoder().encode(text))).slice(0, digits);
}

/** Compares in a time that does not depend on where two texts of one length differ. */
function isEqual(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at += 1) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
