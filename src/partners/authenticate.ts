import { z } from "zod";
import { sha256Hex } from "../core/digest.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { Database } from "../db/client.ts";
import { isPermission, type Permission } from "./permissions.ts";
import { findKey } from "./store.ts";

/** Who is calling, once the key has been checked. Every query below is bound to `partnerId`. */
export interface Caller {
  readonly partnerId: string;
  readonly permissions: ReadonlySet<Permission>;
}

const uuid = z.guid();

/** How a key is stored and looked up: SHA-256 of its lower-case text. */
export function hashApiKey(key: string): Promise<string> {
  return sha256Hex(key.toLowerCase());
}

/**
 * The caller behind an API key. One D1 round trip, never cached: a revoked key stops at the next request.
 * @throws ServiceFailure `key_invalid` for a key that is no UUID, unknown or revoked, or whose partner or employee
 * is disabled; nobody learns which.
 */
export async function authenticate(db: Database, key: unknown): Promise<Caller> {
  const parsed = uuid.safeParse(key);
  const row = parsed.success ? await findKey(db, await hashApiKey(parsed.data)) : undefined;
  const usable = row !== undefined && row.revokedAt === null && row.partnerStatus === "active" && row.employeeStatus !== "disabled";
  if (!usable) throw new ServiceFailure({ kind: "key_invalid" });
  return { partnerId: row.partnerId, permissions: new Set(row.permissions.filter(isPermission)) };
}

/** @throws ServiceFailure `permission_missing` unless the caller's key carries the permission. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) throw new ServiceFailure({ kind: "permission_missing", permission });
}
