import { isSealed, type SealKeys, sealOf } from "../core/seal.ts";

/** Hexadecimal digits of a seal: 96 bits. */
const SEAL_LENGTH = 24;

/**
 * A code or a token of the OAuth library as we hand it out: with a seal that we alone can compute. So an invented one is refused without a
 * query, and a refresh token that no grant knows any more is one that was really given out.
 */
export async function sealToken(keys: SealKeys, token: string): Promise<string> {
  return `${token}.${await sealOf(keys, "oauth token", token, SEAL_LENGTH)}`;
}

/** The library's code or token within one that was sent; null if the seal is by none of our keys. */
export async function unsealToken(keys: SealKeys, sent: string): Promise<string | null> {
  const [, token = "", seal = ""] = /^([\w-]{1,100}:[\w-]{1,100}:[\w-]{1,200})\.([0-9a-f]{24})$/.exec(sent) ?? [];
  return token !== "" && (await isSealed(keys, "oauth token", token, seal)) ? token : null;
}
