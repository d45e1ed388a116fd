/** The form of a partner's key. */
const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What a search asks for. A pasted key is searched by its SHA-256: a key in an address stays in histories and logs. */
export async function searchTextOf(typed: string): Promise<string> {
  const text = typed.trim();
  const key = text.toLowerCase();
  if (!KEY.test(key)) return text;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
