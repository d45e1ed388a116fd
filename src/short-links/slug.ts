const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 12;
/** The largest multiple of the alphabet's size up to 256. Bytes from here on are skipped, to avoid modulo bias. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** The format of the path segment that is accepted as a slug, whether or not this service issued it. */
export const slugPattern = /^[A-Za-z0-9]{10,32}$/;

/** A new slug of 12 cryptographically random letters and digits: 62^12 values, about 71 bits, not guessable. */
export function randomSlug(): string {
  let slug = "";
  while (slug.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && slug.length < LENGTH) slug += ALPHABET[byte % ALPHABET.length];
    }
  }
  return slug;
}
