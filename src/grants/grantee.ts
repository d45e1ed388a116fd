import { type Clock, MINUTE } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { stateOfKey } from "../core/object-states.ts";
import type { Directory, InDirectory } from "../db/client.ts";
import { findListedKey } from "../partners/admin/keys.ts";
import { type Caller, callerOfKey } from "../partners/authenticate.ts";
import type { KeyUses } from "../partners/key-uses.ts";
import type { ConfirmationRules } from "./confirmation-rules.ts";
import { type Grant, grantOf, noteUse, selectGrant } from "./store.ts";

/** The content of a grant's tokens: the ids of the grant and of its key. */
export interface GrantReference {
  readonly grantId: string;
  readonly keyId: string;
}

/** The partner and the rights of a grant. */
export interface Grantee {
  readonly grantId: string;
  /** The key's partner, with the permissions that both key and grant have. */
  readonly caller: Caller;
  readonly environments: readonly Environment[];
  /** The name that the agent's host gives itself. */
  readonly clientName: string;
  /** Which of its creations wait for a person. */
  readonly confirmations: ConfirmationRules;
}

/**
 * The partner and the rights of a grant at this moment. Null if the grant has ended, or if its key no longer works: it
 * was revoked, or its partner or employee is disabled. One D1 round trip, and once a minute a second one that stores
 * the use.
 */
export async function granteeOf(
  deps: { readonly directory: Directory; readonly clock: Clock; readonly keyUses: KeyUses },
  { grantId, keyId }: GrantReference,
): Promise<Grantee | null> {
  const { directory, clock } = deps;
  const { caller, found } = await callerOfKey(deps, keyId, selectGrant(directory, grantId));
  const [row] = found;
  const now = clock.now();
  if (caller === null || row === undefined || row.keyId !== keyId || !gives(row, now)) return null;
  const grant = grantOf(row);
  if (grant.lastUsedAt === null || grant.lastUsedAt < now - MINUTE) await noteUse(directory, grantId, now);
  const permissions = new Set(grant.permissions.filter((permission) => caller.permissions.has(permission)));
  const { environments, clientName, confirmations } = grant;
  return {
    grantId,
    caller: { ...caller, holder: { kind: "agent", grantId, keyId }, permissions },
    environments,
    clientName,
    confirmations,
  };
}

/** Whether a grant gives nothing only for now: its partner, or the person of its key, is disabled, and may be enabled again. */
export async function isPaused({ directory, clock }: InDirectory, { grantId, keyId }: GrantReference): Promise<boolean> {
  const [[row], key] = await Promise.all([selectGrant(directory, grantId), findListedKey(directory, keyId)]);
  const now = clock.now();
  return row !== undefined && key !== undefined && gives(row, now) && stateOfKey(key, now) === "disabled";
}

/** Whether a grant is valid at a time: it was not ended, and it has not expired. */
function gives({ endedAt, expiresAt }: Pick<Grant, "endedAt" | "expiresAt">, now: number): boolean {
  return endedAt === null && now < expiresAt;
}
