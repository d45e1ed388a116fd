import { recordChange } from "../audit/audit-log.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../db/client.ts";
import type { SecretBox } from "./secret-box.ts";
import { replaceSealed, sealedOtherwise } from "./secrets-store.ts";

const MOST_AT_A_TIME = 200;

/** What came of it: how many were sealed anew, whose could not be opened, and how many are left (up to two hundred). */
interface Resealed {
  readonly resealed: number;
  readonly unopened: readonly string[];
  readonly left: number;
}

/**
 * Encrypts signing secrets that an older key sealed with the key that is current, so that the older one can go. The
 * secrets stay what they are. One that was rotated meanwhile is left alone, one that cannot be opened is named by its
 * endpoint: its key is missing. Three D1 round trips.
 */
export async function resealSecrets(
  { db, clock, secretBox }: { readonly db: Database; readonly clock: Clock; readonly secretBox: SecretBox },
  actor: string,
): Promise<Resealed> {
  const { currentKey } = secretBox;
  const found = await sealedOtherwise(db, currentKey, MOST_AT_A_TIME);
  const opened = await Promise.all(
    found.map(async ({ id, endpointId, sealed }) => {
      const secret = await secretBox.open(sealed, endpointId).catch(() => null);
      return { id, endpointId, before: sealed, sealed: secret === null ? null : await secretBox.seal(secret, endpointId) };
    }),
  );
  const anew = opened.flatMap(({ id, before, sealed }) => (sealed === null ? [] : [replaceSealed(db, id, before, sealed)]));
  const change = recordChange(db, { actor, action: "secrets.reseal", target: currentKey, details: { count: anew.length } }, clock.now());
  const [, ...replaced] = await db.batch([change, ...anew]);
  return {
    resealed: replaced.reduce((count, { meta }) => count + meta.changes, 0),
    unopened: opened.filter(({ sealed }) => sealed === null).map(({ endpointId }) => endpointId),
    left: (await sealedOtherwise(db, currentKey, MOST_AT_A_TIME)).length,
  };
}
