import { hmacSha256Hex } from "../core/digest.ts";
import type { Settings } from "../core/settings.ts";

type Keys = Settings["encryptionKeys"];

/** Hexadecimal digits of the code: 96 bits. */
const CODE_LENGTH = 24;

/**
 * The id by which the OAuth library knows the holder of an API key. Each code and token begins with it. It ends with a code that we
 * alone can compute, so an invented token is refused without a query.
 */
export async function holderIdOf(keys: Keys, keyId: string): Promise<string> {
  return `${keyId}-${await codeOf(keys.keys[keys.current] ?? "", keyId)}`;
}

/** The id of {@link holderIdOf} that a code or a token begins with. */
export function holderIn(token: string): string {
  return token.split(":")[0] ?? "";
}

/** Whether a code or a token begins with an id of {@link holderIdOf}, computed with any of our keys. */
export async function isOfHolder(keys: Keys, token: string): Promise<boolean> {
  const [, keyId = "", code = ""] = /^([\w-]+)-([0-9a-f]{24}):/.exec(token) ?? [];
  if (keyId === "") return false;
  const codes = await Promise.all(Object.values(keys.keys).map((key) => codeOf(key, keyId)));
  return codes.some((right) => isEqual(right, code));
}

async function codeOf(key: string, keyId: string): Promise<string> {
  return (await hmacSha256Hex(`oauth holder ${key}`, new TextEncoder().encode(keyId))).slice(0, CODE_LENGTH);
}

function isEqual(left: string, right: string): boolean {
  const encoder = new TextEncoder();
  return left.length === right.length && crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right));
}
