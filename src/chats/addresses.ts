import { eq, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { type Clock, DAY } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { endpointIdOf, MAIL_CODES, newId } from "../core/ids.ts";
import { isSealed, type SealKeys, sealOf } from "../core/seal.ts";
import type { SecretCipher } from "../core/secret-cipher.ts";
import { type Cell, runBatch } from "../db/client.ts";
import { endpoints } from "../db/schema/webhooks.ts";
import { endpointsOf, removeChannel } from "../webhooks/endpoints/channels.ts";
import { currentSecrets, insertFirstSecret } from "../webhooks/endpoints/secrets-store.ts";
import { MAIL_KINDS } from "./mails.ts";

interface AddressDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly secretCipher: SecretCipher;
}

type Endpoint = Awaited<ReturnType<typeof endpointsOf>>[number];

/** An address of an environment that gets messages. It is an endpoint whose encrypted secret is the address. */
export interface NoticeAddress {
  readonly endpoint: Endpoint;
  /** Null if it cannot be decrypted. */
  readonly address: string | null;
}

/** The code's length: too long to be guessed with the changes of a day. */
const CODE_DIGITS = 10;

interface Wanted {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly address: string;
}

const sealed = ({ partnerId, environment, address }: Wanted, day: number): string => `${partnerId} ${environment} ${day} ${address}`;
const dayOf = (now: number): number => Math.floor(now / DAY);

/** The code by which an address is confirmed, today. It follows from the address, so that nothing is stored before. */
export const codeFor = (keys: SealKeys, wanted: Wanted, now: number): Promise<string> =>
  sealOf(keys, "e-mail address", sealed(wanted, dayOf(now)), CODE_DIGITS);

/** Whether this is the code of today or yesterday for the address. */
export async function isCode(keys: SealKeys, wanted: Wanted, code: string, now: number): Promise<boolean> {
  if (code.length !== CODE_DIGITS) return false;
  const days = [dayOf(now), dayOf(now) - 1];
  const found = await Promise.all(days.map((day) => isSealed(keys, "e-mail address", sealed(wanted, day), code)));
  return found.includes(true);
}

/** The addresses of a partner, in the order of their names. Two D1 round trips. */
export async function addressesOf(
  { db, secretCipher }: Pick<AddressDeps, "db" | "secretCipher">,
  partnerId: string,
): Promise<NoticeAddress[]> {
  const found = await endpointsOf(db, partnerId, "email");
  const secrets = await currentSecrets(
    db,
    found.map(({ id }) => id),
  );
  return Promise.all(
    found.map(async (endpoint) => {
      const encrypted = secrets.find(({ endpointId }) => endpointId === endpoint.id)?.encrypted ?? null;
      return { endpoint, address: encrypted === null ? null : await secretCipher.decrypt(encrypted, endpoint.id).catch(() => null) };
    }),
  );
}

/** Adds a confirmed address. Null if all places of the environment are taken. The address is not in the audit log. */
export async function addAddress(
  deps: AddressDeps,
  { partnerId, environment, address }: Wanted,
  actor: Actor,
): Promise<NoticeAddress | null> {
  const { db, clock, secretCipher } = deps;
  const taken = new Set(
    (await endpointsOf(db, partnerId, "email")).filter((one) => one.environment === environment).map(({ code }) => code),
  );
  const code = MAIL_CODES.find((one) => !taken.has(one));
  if (code === undefined) return null;
  const id = endpointIdOf(partnerId, environment, code);
  const now = clock.now();
  const encrypted = await secretCipher.encrypt(address, id);
  const secret = { id: newId("secret"), encrypted };
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id})`;
  const of = { partnerId, environment, code, kinds: JSON.stringify(MAIL_KINDS), url: hostOf(address), channel: "email" as const };
  await runBatch(db, [
    auditRow(db, { actor, action: "email.add", target: id, partnerId }, now, isFree),
    db
      .insert(endpoints)
      .values({ id, ...of, status: "active", createdAt: now, updatedAt: now })
      .onConflictDoNothing(),
    // Only the endpoint of this call has the secret of this call: another that was added at the same moment has one already.
    insertFirstSecret(db, id, secret, now),
  ]);
  const added = (await addressesOf(deps, partnerId)).find(({ endpoint }) => endpoint.id === id);
  return added?.address === address ? added : null;
}

const hostOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** Removes an address. */
export async function removeAddress(
  { db, clock }: Pick<AddressDeps, "db" | "clock">,
  { id, partnerId }: Endpoint,
  actor: Actor,
): Promise<void> {
  const isThere = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${eq(endpoints.id, id)})`;
  await runBatch(db, [
    auditRow(db, { actor, action: "email.remove", target: id, partnerId }, clock.now(), isThere),
    ...removeChannel(db, id),
  ]);
}
