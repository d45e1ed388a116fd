/**
 * Parses an HTTP or HTTPS URL from input. Returns null if the text is not strictly valid. The URL parser accepts white
 * space, control characters, lone surrogates, backslashes and missing slashes, but later receivers of the text may not.
 * User names and passwords are refused, also empty ones.
 */
export function parseHttpUrl(text: string): URL | null {
  if (!text.isWellFormed() || /[\s\p{Cc}\\]/u.test(text)) return null;
  return /^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) && URL.canParse(text) ? new URL(text) : null;
}
