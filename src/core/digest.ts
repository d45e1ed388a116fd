const encoder = new TextEncoder();

/** Bytes as lower-case hexadecimal. */
export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

/** Bytes as standard Base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** HMAC-SHA256 over `message`, keyed with the UTF-8 bytes of `secret`. */
export async function hmacSha256(secret: string, message: Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

/** {@link hmacSha256} in lower-case hexadecimal. */
export async function hmacSha256Hex(secret: string, message: Uint8Array): Promise<string> {
  return toHex(await hmacSha256(secret, message));
}
