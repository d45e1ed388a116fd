const MAX_CHARACTERS = 500;

/**
 * Makes an external message safe to show or log: truncates it and removes keys, secrets and URLs.
 */
export function redact(text: string): string {
  return text
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, "…")
    .replace(/https?:\/\/\S+/g, "…")
    .slice(0, MAX_CHARACTERS);
}
