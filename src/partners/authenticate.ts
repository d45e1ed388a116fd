import * as z from "zod";
import type { IdCode } from "../core/cell-code.ts";
import { cellCodeSchema, idCodeSchema } from "../core/cell-code-schema.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { StartRule } from "../core/preview.ts";
import type { SealKeys } from "../core/seal.ts";
import type { Directory, Query } from "../db/client.ts";
import type { PartnerCells } from "../db/partner-data.ts";
import { type Prepared, rowsOfBoth } from "../db/prepared.ts";
import type { KeyRefusal } from "../db/schema/partners.ts";
import { countedNetworks } from "../rate-limits/address.ts";
import { admitRequest, type Budget, checkAddress, type RateLimits } from "../rate-limits/admission.ts";
import { hashApiKey, hasSeal, hintOf } from "./api-key.ts";
import { findKey, type KeyNames, type KeyRow, selectKeyById, selectNames, selectNamesById } from "./key-store.ts";
import type { KeyUses } from "./key-uses.ts";
import { isPermission, isRight, type Permission, type Right } from "./permissions.ts";
import { readEarlier } from "./read-location.ts";
import type { RefusedKeys } from "./refused-keys.ts";
import type { RememberedCallers } from "./remembered-callers.ts";

/** What a caller holds: a key, an agent's grant with the key that gave it, or a person's session; each by its id. */
export type Holder =
  | { readonly kind: "key"; readonly keyId: string }
  | { readonly kind: "agent"; readonly grantId: string; readonly keyId: string }
  | { readonly kind: "person"; readonly employeeId: string };

/** The name of a holder in the audit log, and in the rows that it makes. */
export function holderName(holder: Holder): string {
  switch (holder.kind) {
    case "key":
      return `holder of ${holder.keyId}`;
    case "agent":
      return `agent ${holder.grantId} of ${holder.keyId}`;
    case "person":
      return `person ${holder.employeeId}`;
  }
}

/** The id of what makes keys and people: a person or a key. */
export const makerOf = (holder: Holder): string => (holder.kind === "person" ? holder.employeeId : holder.keyId);

/** The authenticated caller. Every later query is scoped to `partnerId` (interface K.7). */
export interface Caller extends PartnerCells {
  readonly partnerId: string;
  readonly holder: Holder;
  /** The id code of the partner. */
  readonly idCode: IdCode;
  readonly permissions: ReadonlySet<Right>;
  /** The permission that the partner's keys need to cancel a subscription; null: none. */
  readonly cancelPermission: Permission | null;
  /** The partner's days and months are those of this time zone. */
  readonly timeZone: string;
  /** The environments of an agent's grant; absent for a key, which has both. */
  readonly environments?: readonly Environment[];
  /** What the request may start; absent: everything. */
  readonly starts?: StartRule;
}

const uuid = z.guid();
const permissionList = z.array(z.string());

export interface AuthenticationDeps {
  readonly directory: Directory;
  readonly rememberedCallers: RememberedCallers<Caller>;
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  readonly keyUses: KeyUses;
  readonly refusedKeys: RefusedKeys;
  readonly settings: { readonly encryptionKeys: SealKeys };
  /** The IP address of the request. */
  readonly address: string;
}

/** A caller, with the rows that came with the key's answer. */
export interface Authenticated<Row> {
  readonly caller: Caller;
  /** The rows of the extra statement. */
  readonly found: readonly Row[];
}

/** Work that runs in parallel with the look-up of the key. */
export interface ParallelWork<Row> {
  /** Gets the previous caller of the key, if this isolate remembers it. */
  readonly onRememberedCaller?: (remembered: Caller) => void;
  /** Another statement for the directory, sent in one batch with the key's statement. */
  readonly extraStatement?: Prepared<Row> | null;
}

/**
 * Authenticates an API key. Its row is never cached: a revoked key is refused at the next request. Returns the caller,
 * and the rows of the extra statement. One D1 round trip.
 * @throws ServiceFailure `key_invalid` if the key is not a UUID, unknown, revoked or expired, or if its partner or
 * employee is disabled; the answer does not say which (interface K.6, K.8). `rate_limited`, before any D1 read if this
 * isolate remembers the key, or if too many keys from the address wait for a slot; a key with our seal never waits.
 */
export async function authenticate<Row>(
  deps: AuthenticationDeps,
  key: unknown,
  budgetOf: BudgetOf,
  { onRememberedCaller, extraStatement = null }: ParallelWork<Row> = {},
): Promise<Authenticated<Row>> {
  const { directory, rememberedCallers, rateLimits, address, clock, keyUses } = deps;
  const parsed = uuid.safeParse(key);
  const hash = parsed.success ? await hashApiKey(parsed.data) : null;
  const remembered = hash === null ? undefined : rememberedCallers.get(hash);
  if (remembered !== undefined) await admitCaller(remembered);
  else if (isOverLimit(deps) && (hash === null || (await isGuess(deps, parsed.data, hash)))) await checkAddress(rateLimits, address);
  if (hash === null) return refuse(deps, key, "malformed", undefined, aroundKey(key));
  if (remembered !== undefined) onRememberedCaller?.(remembered);
  const keyStatement = findKey(directory, hash);
  const [keys, found] =
    extraStatement === null ? [await keyStatement.all(), []] : await rowsOfBoth(directory, keyStatement, extraStatement);
  const [row] = keys;
  const why = row === undefined ? "unknown" : whyRefused(row, clock.now());
  if (row === undefined || why !== null) {
    rememberedCallers.refuse(hash);
    return refuse(deps, key, why ?? "unknown", row);
  }
  const caller = toCaller(row);
  if (remembered === undefined) await admitCaller(caller);
  rememberedCallers.remember(hash, caller);
  keyUses.note(hash, row.lastUsedAt, clock.now());
  return { caller, found };

  async function admitCaller(known: Caller): Promise<void> {
    const budget = budgetOf(known);
    if (budget !== null) await admitRequest(rateLimits, budget);
  }
}

const isOverLimit = ({ rateLimits, address }: AuthenticationDeps) => rateLimits.refusedKeys.waitOf(address) > 0;

/** Whether a key may be invented: it lacks our seal, or was refused before. */
async function isGuess({ rememberedCallers, settings }: AuthenticationDeps, key: string | undefined, hash: string): Promise<boolean> {
  return key === undefined || rememberedCallers.wasRefused(hash) || !(await hasSeal(settings.encryptionKeys, key));
}

/** The budget of a caller's request. Null if it becomes known later, and the request is counted then. */
export type BudgetOf = (caller: Caller) => Budget | null;

/** The caller of a key, and the names of key and partner. */
export interface KeyHolder extends KeyNames {
  readonly caller: Caller;
}

/**
 * Authenticates a key that a person pasted. Two D1 round trips.
 * @throws ServiceFailure as {@link authenticate} does.
 */
export async function authenticateHolder(deps: AuthenticationDeps, key: unknown): Promise<KeyHolder> {
  const { caller } = await authenticate(deps, key, ({ partnerId }) => ({
    partnerId,
    kind: "read",
    permission: "sign_in",
    environment: "any",
  }));
  const [names] = await selectNames(deps.directory, await hashApiKey(uuid.parse(key)));
  return names === undefined ? refuse(deps, key, "unknown") : { ...names, caller };
}

/** The current caller of a key, by the key's id, with the names; null if the key does not work. One D1 round trip. */
export async function holderOfKey(
  deps: Pick<AuthenticationDeps, "directory" | "clock" | "keyUses">,
  keyId: string,
): Promise<KeyHolder | null> {
  const { caller, found } = await callerOfKey(deps, keyId, selectNamesById(deps.directory, keyId));
  const [names] = found;
  return caller === null || names === undefined ? null : { ...names, caller };
}

/**
 * The current caller of a key, by the key's id; null if the key does not work. `found` are the rows of the other
 * statement. One D1 round trip.
 */
export async function callerOfKey<Row>(
  { directory, clock, keyUses }: Pick<AuthenticationDeps, "directory" | "clock" | "keyUses">,
  keyId: string,
  other: Query<Row>,
): Promise<{ readonly caller: Caller | null; readonly found: readonly Row[] }> {
  const [[row], found] = await directory.batch([selectKeyById(directory, keyId), other]);
  const now = clock.now();
  if (row === undefined || whyRefused(row, now) !== null) return { caller: null, found };
  keyUses.note(row.keyHash, row.lastUsedAt, now);
  return { caller: toCaller(row), found };
}

/**
 * Why a key is refused; null: it works. It is neither revoked nor expired, and neither its partner nor its employee is
 * disabled (interface K.6, K.8).
 */
function whyRefused({ revokedAt, expiresAt, partnerStatus, employeeStatus }: KeyRow, now: number): KeyRefusal | null {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && now >= expiresAt) return "expired";
  if (partnerStatus !== "active") return "partner_disabled";
  return employeeStatus === "disabled" ? "person_disabled" : null;
}

/** Refuses a key, and counts it by address. The answer does not say why; operators see it. */
async function refuse(
  { rateLimits, address, refusedKeys, clock }: AuthenticationDeps,
  key: unknown,
  reason: KeyRefusal,
  row?: KeyRow,
  around?: ReturnType<typeof aroundKey>,
): Promise<never> {
  const hint = typeof key === "string" ? hintOf(key) : "";
  const [network] = countedNetworks(address);
  refusedKeys.note({ network, hint, reason, partnerId: row?.partnerId ?? null, keyId: row?.keyId ?? null }, clock.now());
  await rateLimits.refusedKeys.refuse(address);
  throw new ServiceFailure({ kind: "key_invalid", ...(around === undefined ? {} : { around }) });
}

/**
 * Characters that were sent around a key by mistake. They follow from the text alone, and reveal nothing about any key.
 */
function aroundKey(key: unknown) {
  if (typeof key !== "string") return undefined;
  if (key.includes(",")) return "the second, different value" as const;
  if (/^\s*bearer\s/i.test(key)) return "the word Bearer" as const;
  if (/^\s*["'].*["']\s*$/.test(key)) return "quotes" as const;
  return /\s/.test(key) ? ("blanks" as const) : undefined;
}

/** A person's key is an owner only as long as the person is. */
function toCaller({ keyId, permissions, mayOwn, ...partner }: KeyRow): Caller {
  const held = parseJson(permissionList, permissions).filter((one) => one !== "owner" || mayOwn !== 0);
  return callerWith(partner, { kind: "key", keyId }, held);
}

/** The caller of a stored partner, with the rights of its holder. Texts that are no right of today are left out. */
export function callerWith(
  partner: Pick<KeyRow, "partnerId" | "cell" | "idCode" | "earlier" | "cancelPermission" | "timeZone">,
  holder: Holder,
  held: readonly string[],
): Caller {
  const { partnerId, cell, idCode, earlier, cancelPermission, timeZone } = partner;
  const location = { cell: cellCodeSchema.parse(cell), idCode: idCodeSchema.parse(idCode), earlier: readEarlier(earlier) };
  const needed = cancelPermission !== null && isPermission(cancelPermission) ? cancelPermission : null;
  return { partnerId, holder, ...location, timeZone, permissions: new Set(held.filter(isRight)), cancelPermission: needed };
}

/** What a person needs to end a subscription. Any key may do it unless its partner says otherwise, because an owner gave it to a program. */
export const personsCancelPermission = ({ cancelPermission }: Pick<Caller, "cancelPermission">): Permission =>
  cancelPermission ?? "product_create";

/** @throws ServiceFailure `permission_missing` if the caller does not have the right. */
export function requirePermission(caller: Caller, permission: Right, holder: "key" | "agent" | "person" = "key"): void {
  if (!caller.permissions.has(permission)) throw new ServiceFailure({ kind: "permission_missing", permission, holder });
}
