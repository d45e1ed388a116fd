import * as z from "zod";
import { type CellCode, cellCodeSchema } from "../core/cell-code.ts";
import { sha256Hex } from "../core/digest.ts";
import { ServiceFailure } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { Directory, Query } from "../db/client.ts";
import { isPermission, type Permission } from "./permissions.ts";
import { findKey, type KeyRow, selectKey } from "./store.ts";

/** The authenticated caller. Every later query is scoped to `partnerId` (interface K.7). */
export interface Caller {
  readonly partnerId: string;
  /** The cell that has the partner's data. */
  readonly cell: CellCode;
  readonly permissions: ReadonlySet<Permission>;
}

const uuid = z.guid();
const permissionList = z.array(z.string());

/** Keys are stored and looked up by the SHA-256 of their lower-case text (interface K.1). */
export function hashApiKey(key: string): Promise<string> {
  return sha256Hex(key.toLowerCase());
}

/**
 * Authenticates an API key, and sends another query of the directory with it, if one is given. One D1 round trip, never
 * cached: a revoked key is refused at the next request.
 * @throws ServiceFailure `key_invalid` if the key is not a UUID, unknown or revoked, or if its partner or employee is
 * disabled. The answer does not say which (interface K.6, K.8).
 */
export async function authenticate<Row>(
  directory: Directory,
  key: unknown,
  alongside: Query<Row> | null,
): Promise<{ readonly caller: Caller; readonly found: readonly Row[] }> {
  const parsed = uuid.safeParse(key);
  if (!parsed.success) throw new ServiceFailure({ kind: "key_invalid" });
  const hash = await hashApiKey(parsed.data);
  const { row, found } = alongside === null ? { row: await findKey(directory, hash), found: [] } : await both(directory, hash, alongside);
  const usable = row !== undefined && row.revokedAt === null && row.partnerStatus === "active" && row.employeeStatus !== "disabled";
  if (!usable) throw new ServiceFailure({ kind: "key_invalid" });
  return { caller: callerOf(row), found };
}

async function both<Row>(directory: Directory, keyHash: string, other: Query<Row>) {
  const [[row], found] = await directory.batch([selectKey(directory, keyHash), other]);
  return { row, found };
}

function callerOf({ partnerId, cell, permissions }: KeyRow): Caller {
  const held = parseJson(permissionList, permissions).filter(isPermission);
  return { partnerId, cell: cellCodeSchema.parse(cell), permissions: new Set(held) };
}

/** @throws ServiceFailure `permission_missing` if the caller's key does not have the permission. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) throw new ServiceFailure({ kind: "permission_missing", permission });
}
