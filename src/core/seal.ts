import { hmacSha256Hex } from "./digest.ts";
import type { Settings } from "./settings.ts";

export type SealKeys = Settings["encryptionKeys"];

/** The purpose of a seal. A seal for one purpose is invalid for another. */
type Purpose = "oauth token" | "api key" | "challenge" | "e-mail address";

/** A MAC of the text with our current key, in hexadecimal. Only this service can compute it. */
export function sealOf(keys: SealKeys, purpose: Purpose, text: string, digits: number): Promise<string> {
  return compute(keys.keys[keys.current] ?? "", purpose, text, digits);
}

/** Whether one of our keys made the seal. All keys are tried, because sealed texts outlive a key rotation. */
export async function isSealed(keys: SealKeys, purpose: Purpose, text: string, seal: string): Promise<boolean> {
  const seals = await Promise.all(Object.values(keys.keys).map((key) => compute(key, purpose, text, seal.length)));
  return seals.some((right) => isEqual(right, seal));
}

async function compute(key: string, purpose: Purpose, text: string, digits: number): Promise<string> {
  return (await hmacSha256Hex(`${purpose} ${key}`, new TextEncoder().encode(text))).slice(0, digits);
}

/** Compares two texts of one length in constant time. */
function isEqual(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at += 1) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
