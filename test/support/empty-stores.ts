import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { cells } from "./cells.ts";

/**
 * Empties databases, KV and R2. The platform's `reset` leaves out whatever was idle for ten seconds, because it is not in
 * memory any more: so each is asked something before.
 */
export async function emptyStores(): Promise<void> {
  const databases = [env.DIRECTORY, env.SECOND_CELL, ...cells];
  const awake = [...databases.map((db) => db.prepare("SELECT 1").first()), env.SHORT_LINKS.list({ limit: 1 }), env.SNAPSHOTS.head("none")];
  await Promise.all(awake);
  await reset();
}
