import * as z from "zod";
import type { CellCode } from "../core/cell-code.ts";
import { sha256Hex } from "../core/digest.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { Directory } from "../db/client.ts";
import { isPermission, type Permission } from "./permissions.ts";
import { findKey } from "./store.ts";

/** The authenticated caller. Every later query is scoped to `partnerId` (interface K.7). */
export interface Caller {
  readonly partnerId: string;
  /** The cell that has the partner's data. */
  readonly cell: CellCode;
  readonly permissions: ReadonlySet<Permission>;
}

const uuid = z.guid();

/** Keys are stored and looked up by the SHA-256 of their lower-case text (interface K.1). */
export function hashApiKey(key: string): Promise<string> {
  return sha256Hex(key.toLowerCase());
}

/**
 * Authenticates an API key. One D1 round trip, never cached: a revoked key is refused at the next request.
 * @throws ServiceFailure `key_invalid` if the key is not a UUID, unknown or revoked, or if its partner or employee is
 * disabled. The answer does not say which (interface K.6, K.8).
 */
export async function authenticate(directory: Directory, key: unknown): Promise<Caller> {
  const parsed = uuid.safeParse(key);
  const row = parsed.success ? await findKey(directory, await hashApiKey(parsed.data)) : undefined;
  const usable = row !== undefined && row.revokedAt === null && row.partnerStatus === "active" && row.employeeStatus !== "disabled";
  if (!usable) throw new ServiceFailure({ kind: "key_invalid" });
  return { partnerId: row.partnerId, cell: row.cell, permissions: new Set(row.permissions.filter(isPermission)) };
}

/** @throws ServiceFailure `permission_missing` if the caller's key does not have the permission. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) throw new ServiceFailure({ kind: "permission_missing", permission });
}
