import { and, eq, gt, lt } from "drizzle-orm";
import { sha256Hex, toHex } from "../core/digest.ts";
import type { Directory } from "../db/client.ts";
import { operatorSessions } from "../db/schema/operators.ts";

const TOKEN_BYTES = 32;
/** Hexadecimal digits of the shared token's digest. */
const DIGEST_LENGTH = 16;

const digestOf = async (opsToken: string) => (await sha256Hex(`session ${opsToken}`)).slice(0, DIGEST_LENGTH);

/** Starts a session for a holder of the shared token. Returns the cookie value; only its digest is stored. */
export async function insertSession(directory: Directory, opsToken: string, name: string, expiresAt: number): Promise<string> {
  const token = toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  await directory.insert(operatorSessions).values({ id: await sha256Hex(token), name, tokenDigest: await digestOf(opsToken), expiresAt });
  return token;
}

/** The name in a session; null if it has ended, or if the shared token has changed since. One D1 round trip. */
export async function findSession(directory: Directory, opsToken: string, token: string, now: number): Promise<string | null> {
  const { id, name, tokenDigest, expiresAt } = operatorSessions;
  const isOpen = and(eq(id, await sha256Hex(token)), eq(tokenDigest, await digestOf(opsToken)), gt(expiresAt, now));
  return (await directory.select({ name }).from(operatorSessions).where(isOpen).get())?.name ?? null;
}

/** Ends a session: its cookie is no longer accepted. */
export async function deleteSession(directory: Directory, token: string): Promise<void> {
  await directory.delete(operatorSessions).where(eq(operatorSessions.id, await sha256Hex(token)));
}

/** Deletes the sessions that have expired by `now` (Unix milliseconds). */
export async function expireSessions(directory: Directory, now: number) {
  const { meta } = await directory.delete(operatorSessions).where(lt(operatorSessions.expiresAt, now));
  return { changed: meta.changes, isAtEnd: true };
}
