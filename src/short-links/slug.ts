import type { IdCode } from "../core/cell-code.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 12;
/** Coprime to 62², and the number before it shares only the factor 2, so every single mistake changes the check. */
const CHECK_FACTOR = 2_003;
/** The largest multiple of the alphabet's size up to 256. Bytes from here on are skipped, to avoid modulo bias. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** Slugs of this length end with a check. Older slugs have none. */
const LENGTH_WITH_CHECK = 16;

/** The format of the path segment that is accepted as a slug, whether or not this service issued it. */
export const slugPattern = /^[A-Za-z0-9]{10,32}$/;

/**
 * A new slug: the id code of the link's partner, 12 random letters and digits (62^12 values, about 71 bits, not
 * guessable), and a check of two characters, so that nearly all guessed or mistyped slugs are refused without a read.
 */
export function newSlug(code: IdCode): string {
  let random = "";
  while (random.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && random.length < LENGTH) random += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code + random + checkOf(code + random);
}

/** False for a text that cannot be one of our slugs. */
export function hasRightCheck(slug: string): boolean {
  return slug.length !== LENGTH_WITH_CHECK || slug.endsWith(checkOf(slug.slice(0, -2)));
}

/** Two characters. They change if one character changes, or two neighbours are swapped. */
function checkOf(text: string): string {
  const size = ALPHABET.length;
  let sum = 0;
  for (const character of text) sum = (sum * CHECK_FACTOR + ALPHABET.indexOf(character)) % size ** 2;
  return `${ALPHABET[Math.floor(sum / size)]}${ALPHABET[sum % size]}`;
}
