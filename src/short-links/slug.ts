import type { CellCode } from "../core/cell-code.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 12;
/** The largest multiple of the alphabet's size up to 256. Bytes from here on are skipped, to avoid modulo bias. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** The format of the path segment that is accepted as a slug, whether or not this service issued it. */
export const slugPattern = /^[A-Za-z0-9]{10,32}$/;

/**
 * A new slug: the code of the cell that has its link, and 12 cryptographically random letters and digits: 62^12 values,
 * about 71 bits, not guessable.
 */
export function newSlug(cell: CellCode): string {
  let random = "";
  while (random.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && random.length < LENGTH) random += ALPHABET[byte % ALPHABET.length];
    }
  }
  return cell + random;
}
