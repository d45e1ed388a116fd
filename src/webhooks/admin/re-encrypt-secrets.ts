import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import type { Clock } from "../../core/clock.ts";
import type { SecretCipher } from "../../core/secret-cipher.ts";
import type { Cell } from "../../db/client.ts";
import { encryptedWithOtherKey, replaceEncrypted } from "../endpoints/secrets-store.ts";

const BATCH_LIMIT = 200;

/**
 * The number of re-encrypted secrets, the ids of endpoints with a secret that could not be decrypted, and the number of
 * remaining secrets (at most 200 per cell).
 */
interface ReEncrypted {
  readonly reEncrypted: number;
  readonly undecryptable: readonly string[];
  readonly left: number;
}

interface CipherDeps {
  readonly clock: Clock;
  readonly secretCipher: SecretCipher;
}

/**
 * Re-encrypts signing secrets from an older key to the current key, so that the older key can be deleted. The secrets
 * themselves do not change. A secret that was deleted or re-encrypted in the meantime is skipped. A secret that cannot
 * be decrypted, because its key is missing, is reported by its endpoint id. Three D1 round trips per cell.
 */
export async function reEncryptSecrets(
  deps: CipherDeps & { readonly everyCell: () => readonly { readonly db: Cell }[] },
  actor: Actor,
): Promise<ReEncrypted> {
  const done = await Promise.all(deps.everyCell().map(({ db }) => reEncryptIn(db, deps, actor)));
  return {
    reEncrypted: done.reduce((sum, { reEncrypted }) => sum + reEncrypted, 0),
    undecryptable: done.flatMap(({ undecryptable }) => undecryptable),
    left: done.reduce((sum, { left }) => sum + left, 0),
  };
}

async function reEncryptIn(db: Cell, { clock, secretCipher }: CipherDeps, actor: Actor): Promise<ReEncrypted> {
  const { currentKey } = secretCipher;
  const found = await encryptedWithOtherKey(db, currentKey, BATCH_LIMIT);
  const opened = await Promise.all(
    found.map(async ({ id, endpointId, encrypted }) => {
      const secret = await secretCipher.decrypt(encrypted, endpointId).catch(() => null);
      return { id, endpointId, before: encrypted, encrypted: secret === null ? null : await secretCipher.encrypt(secret, endpointId) };
    }),
  );
  const rewritten = opened.flatMap(({ id, before, encrypted }) =>
    encrypted === null ? [] : [replaceEncrypted(db, id, before, encrypted)],
  );
  const change = auditRow(db, { actor, action: "secrets.re-encrypt", target: currentKey, after: { count: rewritten.length } }, clock.now());
  const [, ...replaced] = await db.batch([change, ...rewritten]);
  return {
    reEncrypted: replaced.reduce((count, { meta }) => count + meta.changes, 0),
    undecryptable: opened.filter(({ encrypted }) => encrypted === null).map(({ endpointId }) => endpointId),
    left: (await encryptedWithOtherKey(db, currentKey, BATCH_LIMIT)).length,
  };
}
