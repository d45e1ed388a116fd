import { and, lt } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { confirmations, grants, oauthEntries } from "../db/schema/grants.ts";
import { walkRows } from "../db/walk.ts";

/** Deletes entries of the OAuth library that expired before `now` (Unix milliseconds). One step. */
export function expireOAuthEntries(db: Database, now: number) {
  return walkRows(db, { name: "oauth_entries", table: oauthEntries, key: oauthEntries.key }, (range) =>
    db.delete(oauthEntries).where(and(range, lt(oauthEntries.expiresAt, now))),
  );
}

/** Deletes what waited for a person and was over before a time (Unix milliseconds). One step. */
export function expireConfirmations(db: Database, before: number) {
  return walkRows(db, { name: "confirmations", table: confirmations, key: confirmations.id }, (range) =>
    db.delete(confirmations).where(and(range, lt(confirmations.expiresAt, before))),
  );
}

/** Deletes grants that expired before a time (Unix milliseconds). The audit log has the manual endings. One step. */
export function expireGrants(db: Database, before: number) {
  return walkRows(db, { name: "grants", table: grants, key: grants.id }, (range) =>
    db.delete(grants).where(and(range, lt(grants.expiresAt, before))),
  );
}
