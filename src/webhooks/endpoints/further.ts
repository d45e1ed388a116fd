import { and, eq, not, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { DAY } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { endpointIdOf, newEndpointCode, newId } from "../../core/ids.ts";
import { parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { newSigningSecret } from "../../core/secret-cipher.ts";
import type { Settings } from "../../core/settings.ts";
import { runBatch } from "../../db/client.ts";
import { endpointSecrets, endpoints } from "../../db/schema/webhooks.ts";
import { deliveryUrlError } from "./endpoint-url.ts";
import { currentSecrets, insertFirstSecret, isCurrent, rotateSecret, type SecretDeps } from "./secrets-store.ts";
import { endDeliveries, findEndpoint, insertEndpoint, isHeldEndpoint, moveEndpoint } from "./store.ts";

/**
 * Endpoints that a partner adds to the first one of an environment, which operation 10 registers. Each has its own URL, secret, state,
 * schedule and health, and gets the events of chosen kinds. An event is one for all of them, with one id and one body.
 */
interface FurtherDeps extends SecretDeps {
  readonly settings: Settings;
}

type Endpoint = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

/** What a partner says of a further endpoint. `kinds`: the names of the events that it gets; null: all. */
export interface EndpointTerms {
  readonly url: string;
  readonly name: string;
  readonly kinds: readonly string[] | null;
}

/** The names of the events that an endpoint gets; null: all. */
export const kindsOf = ({ kinds }: Pick<Endpoint, "kinds">): string[] | null =>
  kinds === null ? null : parseJson(z.array(z.string()), kinds);

const textOf = (kinds: readonly string[] | null): string | null => (kinds === null ? null : JSON.stringify(kinds));

/**
 * Adds an endpoint, with a new signing secret. Null if the environment has as many as a partner may add.
 * @throws ServiceFailure `invalid_input` for a URL that is not allowed
 */
export async function addEndpoint(
  { db, clock, secretCipher, settings }: FurtherDeps,
  { partnerId, environment }: { readonly partnerId: string; readonly environment: Environment },
  { url, name, kinds }: EndpointTerms,
  actor: Actor,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string } | null> {
  requireUrl(url, environment, settings);
  const now = clock.now();
  const code = newEndpointCode();
  const id = endpointIdOf(partnerId, environment, code);
  const secret = newSigningSecret(environment);
  const encrypted = await secretCipher.encrypt(secret, id);
  const count = sql`(SELECT count(*) FROM ${endpoints} WHERE partner_id = ${partnerId} AND environment = ${environment} AND code > '' AND channel IS NULL)`;
  const hasRoom = sql`${count} < ${limits.webhooks.further}`;
  const isAdded = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id})`;
  const entry = { actor, action: "endpoint.add" as const, target: id, partnerId, after: { host: new URL(url).host, name } };
  await runBatch(db, [
    auditRow(db, entry, now, hasRoom),
    insertEndpoint(db, { id, partnerId, environment, code, name, kinds: textOf(kinds), channel: null, url }, now, hasRoom),
    insertFirstSecret(db, id, { id: newId("secret"), encrypted }, now, isAdded),
  ]);
  const endpoint = await findEndpoint(db, id);
  return endpoint === undefined ? null : { endpoint, secret };
}

/**
 * Changes an endpoint that the partner added. Another URL resumes it, as a registration does, unless an operator suspended it.
 * Undefined for an unknown one.
 * @throws ServiceFailure `invalid_input` for a URL that is not allowed
 */
export async function changeEndpoint(
  { db, clock, settings }: Pick<FurtherDeps, "db" | "clock" | "settings">,
  { id, environment, partnerId }: Pick<Endpoint, "id" | "environment" | "partnerId">,
  change: Partial<EndpointTerms>,
  actor: Actor,
): Promise<Endpoint | undefined> {
  const { url, name, kinds } = change;
  if (url !== undefined) requireUrl(url, environment, settings);
  const now = clock.now();
  const after = {
    ...(url !== undefined && { host: new URL(url).host }),
    ...(name !== undefined && { name }),
    ...(kinds !== undefined && { events: kinds ?? "all" }),
  };
  const isKnown = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${id} AND code > '')`;
  await runBatch(db, [
    auditRow(db, { actor, action: "endpoint.change", target: id, partnerId, after }, now, isKnown),
    db
      .update(endpoints)
      .set({ ...(name !== undefined && { name }), ...(kinds !== undefined && { kinds: textOf(kinds) }), updatedAt: now })
      .where(and(eq(endpoints.id, id), isKnown)),
    ...(url === undefined ? [] : moveEndpoint(db, id, url, now)),
  ]);
  return findEndpoint(db, id);
}

/**
 * Removes an endpoint that the partner added, with its secrets. What waits for it is not sent any more; the events stay. An endpoint that
 * an operator suspended stays. Returns what is left: undefined if it is removed, or was unknown.
 */
export async function removeEndpoint(
  { db, clock }: Pick<FurtherDeps, "db" | "clock">,
  { id, partnerId }: Pick<Endpoint, "id" | "partnerId">,
  actor: Actor,
): Promise<Endpoint | undefined> {
  const ofEndpoint = and(eq(endpoints.id, id), sql`${endpoints.code} > ''`, not(isHeldEndpoint));
  const isRemovable = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE ${ofEndpoint})`;
  await runBatch(db, [
    auditRow(db, { actor, action: "endpoint.remove", target: id, partnerId }, clock.now(), isRemovable),
    ...endDeliveries(db, id, isRemovable),
    db.delete(endpointSecrets).where(and(eq(endpointSecrets.endpointId, id), isRemovable)),
    db.delete(endpoints).where(ofEndpoint),
  ]);
  return findEndpoint(db, id);
}

/**
 * Gives an endpoint that the partner added a new signing secret. The one before it also signs for some days. `seen`: until when the one
 * before that signs, as the caller knows it; undefined for any. `unknown`: there is no such endpoint. `changed_since`: another secret was
 * given since, and nothing is changed.
 */
export async function rotateFurtherSecret(
  { db, clock, secretCipher }: Pick<FurtherDeps, "db" | "clock" | "secretCipher">,
  { id, environment, partnerId }: Pick<Endpoint, "id" | "environment" | "partnerId">,
  seen: number | null | undefined,
  actor: Actor,
): Promise<{ readonly secret: string; readonly previousValidUntil: number } | "unknown" | "changed_since"> {
  const now = clock.now();
  const [current] = await currentSecrets(db, [id]);
  if (current === undefined) return "unknown";
  const stillSigns = (until: number | null) => (until !== null && until > now ? until : null);
  if (seen !== undefined && stillSigns(seen) !== stillSigns(current.previousValidUntil)) return "changed_since";
  const secret = newSigningSecret(environment);
  const added = { id: newId("secret"), encrypted: await secretCipher.encrypt(secret, id) };
  const previousValidUntil = now + limits.rotation.days * DAY;
  await runBatch(db, [
    auditRow(db, { actor, action: "endpoint.rotate_secret", target: id, partnerId }, now, isCurrent(current.id)),
    ...rotateSecret(db, id, added, now, previousValidUntil, current.id),
  ]);
  const [after] = await currentSecrets(db, [id]);
  return after?.id === added.id ? { secret, previousValidUntil } : "changed_since";
}

function requireUrl(url: string, environment: Environment, settings: Settings): void {
  const reason = deliveryUrlError(url, environment, settings);
  if (reason !== null) rejectInput(reason, "webhook_url");
}
