import { eq, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { DAY } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { endpointIdOf, MAIL_CODE_LENGTH, newId } from "../core/ids.ts";
import { limits } from "../core/limits.ts";
import { isSealed, type SealKeys, sealOf } from "../core/seal.ts";
import { runBatch } from "../db/client.ts";
import { endpoints } from "../db/schema/webhooks.ts";
import { endpointsOf, removeChannel } from "../webhooks/endpoints/channels.ts";
import { currentSecrets, insertFirstSecret, type SecretDeps } from "../webhooks/endpoints/secrets-store.ts";
import { findEndpoint, insertEndpoint, isHeldEndpoint } from "../webhooks/endpoints/store.ts";

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
  { db, secretCipher }: Pick<SecretDeps, "db" | "secretCipher">,
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

/**
 * Adds a confirmed address. Its id follows from the address, so two calls at one moment add it once. Null if all places of the environment
 * are taken. The address is not in the audit log.
 */
export async function addAddress(
  deps: SecretDeps & { readonly settings: { readonly encryptionKeys: SealKeys } },
  { partnerId, environment, address }: Wanted,
  actor: Actor,
): Promise<NoticeAddress | null> {
  const { db, clock, secretCipher, settings } = deps;
  const code = await sealOf(settings.encryptionKeys, "e-mail address", `${partnerId} ${environment} ${address}`, MAIL_CODE_LENGTH);
  const id = endpointIdOf(partnerId, environment, code);
  const now = clock.now();
  const secret = { id: newId("secret"), encrypted: await secretCipher.encrypt(address, id) };
  const count = sql`(SELECT count(*) FROM ${endpoints} WHERE partner_id = ${partnerId} AND environment = ${environment} AND channel = 'email')`;
  const hasRoom = sql`${count} < ${limits.noticeAddress.perEnvironment} AND NOT EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id})`;
  await runBatch(db, [
    auditRow(db, { actor, action: "email.add", target: id, partnerId }, now, hasRoom),
    insertEndpoint(db, { id, partnerId, environment, code, name: null, kinds: null, channel: "email", url: URL_OF_MAIL }, now, hasRoom),
    insertFirstSecret(db, id, secret, now, sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id})`),
  ]);
  return (await addressesOf(deps, partnerId)).find(({ endpoint }) => endpoint.id === id) ?? null;
}

/** What stands in place of a URL: a domain may be a person's name. */
const URL_OF_MAIL = "e-mail";

/** Removes an address, unless an operator suspended it. What is left: undefined if it is removed. */
export async function removeAddress(
  { db, clock }: Pick<SecretDeps, "db" | "clock">,
  { id, partnerId }: Endpoint,
  actor: Actor,
): Promise<Endpoint | undefined> {
  const isRemovable = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${eq(endpoints.id, id)} AND NOT ${isHeldEndpoint})`;
  const entry = { actor, action: "email.remove" as const, target: id, partnerId };
  await runBatch(db, [auditRow(db, entry, clock.now(), isRemovable), ...removeChannel(db, id, isRemovable)]);
  return findEndpoint(db, id);
}
