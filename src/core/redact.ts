const MAX_CHARACTERS = 500;

/**
 * Makes an external message safe to show or log: truncates it and removes keys, secrets, URLs, addresses and phones.
 */
export function redact(text: string): string {
  return text
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, "…")
    .replace(/https?:\/\/\S+/g, "…")
    .replace(/[^\s@"'<>()]+@[^\s@"'<>()]+\.\p{L}{2,}/gu, "…")
    .replace(/\+\d[\d ()-]{6,}\d/g, "…")
    .slice(0, MAX_CHARACTERS);
}
