const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 12;
/** The largest multiple of the alphabet's size that a byte can hold: bytes above it would favour some letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** What may stand as the one path segment of a short link, ours or not. */
export const slugPattern = /^[A-Za-z0-9]{10,32}$/;

/** A new slug of 12 letters and digits from the cryptographic source: 62^12, so about 71 bits, nobody can guess one. */
export function randomSlug(): string {
  let slug = "";
  while (slug.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && slug.length < LENGTH) slug += ALPHABET[byte % ALPHABET.length];
    }
  }
  return slug;
}
