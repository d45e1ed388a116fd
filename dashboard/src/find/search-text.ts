/** The form of a partner's key. Order references and tokens may have it, too. */
const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What a search asks for. A pasted key is searched by its SHA-256: a key in an address stays in histories and logs. `isKey` asks
 * whether a hash is that of a key; any other text is searched as it is.
 */
export async function searchTextOf(typed: string, isKey: (hash: string) => Promise<boolean>): Promise<string> {
  const text = typed.trim();
  const key = text.toLowerCase();
  if (!KEY.test(key)) return text;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return (await isKey(hash)) ? hash : text;
}
