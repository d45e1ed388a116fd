import { recordChange } from "../audit/audit-log.ts";
import type { Clock } from "../core/clock.ts";
import { type Database, writeTogether } from "../db/client.ts";
import type { SecretBox } from "./secret-box.ts";
import { replaceSealed, sealedOtherwise } from "./secrets-store.ts";

const MOST_AT_A_TIME = 200;

/**
 * Encrypts signing secrets that an older key sealed with the key that is current, so that the older one can go. The
 * secrets stay what they are. Gives how many were sealed anew, and how many are left (counted up to as many again). A
 * secret that was rotated meanwhile is left alone. Three D1 round trips. Throws where an older key is missing already.
 */
export async function resealSecrets(
  { db, clock, secretBox }: { readonly db: Database; readonly clock: Clock; readonly secretBox: SecretBox },
  actor: string,
): Promise<{ readonly resealed: number; readonly left: number }> {
  const { currentKey } = secretBox;
  const found = await sealedOtherwise(db, currentKey, MOST_AT_A_TIME);
  const anew = await Promise.all(
    found.map(async ({ endpointId, sealed, ...rest }) => {
      const secret = await secretBox.open(sealed, endpointId);
      return { ...rest, before: sealed, sealed: await secretBox.seal(secret, endpointId) };
    }),
  );
  const change = recordChange(db, { actor, action: "secrets.reseal", target: currentKey, details: { count: found.length } }, clock.now());
  await writeTogether(db, [change, ...anew.map(({ id, before, sealed }) => replaceSealed(db, id, before, sealed))]);
  return { resealed: found.length, left: (await sealedOtherwise(db, currentKey, MOST_AT_A_TIME)).length };
}
