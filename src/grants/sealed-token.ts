import { isSealed, type SealKeys, sealOf } from "../core/seal.ts";

/** Hexadecimal digits of a seal: 96 bits. */
const SEAL_LENGTH = 24;

/**
 * The OAuth library's code or token with a seal that only this service can compute. An invented token is refused
 * without a query, and a refresh token that no grant knows must once have been issued.
 */
export async function sealToken(keys: SealKeys, token: string): Promise<string> {
  return `${token}.${await sealOf(keys, "oauth token", token, SEAL_LENGTH)}`;
}

/** The library's code or token inside a sent one; null if none of our keys made the seal. */
export async function unsealToken(keys: SealKeys, sent: string): Promise<string | null> {
  const [, token = "", seal = ""] = /^([\w-]{1,100}:[\w-]{1,100}:[\w-]{1,200})\.([0-9a-f]{24})$/.exec(sent) ?? [];
  return token !== "" && (await isSealed(keys, "oauth token", token, seal)) ? token : null;
}
