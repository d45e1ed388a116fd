import { sha256Hex } from "../core/digest.ts";

/**
 * The bank's signature of a message (its documentation, "Подпись запроса"). It takes the root-level scalar values and
 * the terminal's password, sorts them by field name, concatenates them, and hashes the text with SHA-256 (lower-case
 * hexadecimal). Objects, lists, nulls and `Token` itself are left out.
 */
export function tokenOf(message: Readonly<Record<string, unknown>>, password: string): Promise<string> {
  const signed = Object.entries({ ...message, Password: password }).filter(([name, value]) => name !== "Token" && isScalar(value));
  const inOrder = signed.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sha256Hex(inOrder.map(([, value]) => value).join(""));
}

/** Whether a message's token matches the password. The comparison takes constant time. */
export async function verifyToken(message: Readonly<Record<string, unknown>>, password: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const right = encoder.encode(await tokenOf(message, password));
  const given = encoder.encode(typeof message.Token === "string" ? message.Token.toLowerCase() : "");
  return given.length === right.length && crypto.subtle.timingSafeEqual(given, right);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
