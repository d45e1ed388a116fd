import { hmacSha256Hex } from "../core/digest.ts";
import type { Settings } from "../core/settings.ts";

type Keys = Settings["encryptionKeys"];

/** Hexadecimal digits of a seal: 96 bits. */
const SEAL_LENGTH = 24;

/**
 * A code or a token of the OAuth library as we hand it out: with a seal that we alone can compute. So an invented one is refused without a
 * query, and a refresh token that no grant knows any more is one that was really given out.
 */
export async function sealed(keys: Keys, token: string): Promise<string> {
  return `${token}.${await sealOf(keys.keys[keys.current] ?? "", token)}`;
}

/** The library's code or token within one that was sent; null if the seal is by none of our keys. */
export async function unsealed(keys: Keys, sent: string): Promise<string | null> {
  const [, token = "", seal = ""] = /^([\w-]{1,100}:[\w-]{1,100}:[\w-]{1,200})\.([0-9a-f]{24})$/.exec(sent) ?? [];
  if (token === "") return null;
  const seals = await Promise.all(Object.values(keys.keys).map((key) => sealOf(key, token)));
  return seals.some((right) => isEqual(right, seal)) ? token : null;
}

async function sealOf(key: string, token: string): Promise<string> {
  return (await hmacSha256Hex(`oauth token ${key}`, new TextEncoder().encode(token))).slice(0, SEAL_LENGTH);
}

function isEqual(left: string, right: string): boolean {
  const encoder = new TextEncoder();
  return left.length === right.length && crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right));
}
