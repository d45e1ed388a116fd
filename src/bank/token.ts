import { sha256Hex } from "../core/digest.ts";

/**
 * The bank's signature of a message (its documentation, "Подпись запроса"): the values of the root's scalars and of the
 * terminal's password, in the order of their names, as one text, its SHA-256 in lower-case hexadecimal. Objects, lists,
 * what is null and the `Token` itself are left out.
 */
export function tokenOf(message: Readonly<Record<string, unknown>>, password: string): Promise<string> {
  const signed = Object.entries({ ...message, Password: password }).filter(([name, value]) => name !== "Token" && isScalar(value));
  const inOrder = signed.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sha256Hex(inOrder.map(([, value]) => value).join(""));
}

/** Whether a message carries the token that the holder of the password gives it. Takes the same time for any token. */
export async function carriesToken(message: Readonly<Record<string, unknown>>, password: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const right = encoder.encode(await tokenOf(message, password));
  const given = encoder.encode(typeof message.Token === "string" ? message.Token.toLowerCase() : "");
  return given.length === right.length && crypto.subtle.timingSafeEqual(given, right);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
