const MOST_CHARACTERS = 500;

/**
 * A sentence from outside, fit to be shown or logged: cut short, and without what it may quote of a key, a secret or
 * the address of a page.
 */
export function redact(text: string): string {
  return text
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, "…")
    .replace(/https?:\/\/\S+/g, "…")
    .slice(0, MOST_CHARACTERS);
}
