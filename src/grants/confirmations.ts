import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { HOUR } from "../core/clock.ts";
import { sha256Hex } from "../core/digest.ts";
import { newId } from "../core/ids.ts";
import { canonicalJson, parseJson } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import { stateOfConfirmation } from "../core/object-states.ts";
import { type Preview, previewSchema } from "../core/preview.ts";
import type { Directory, InDirectory } from "../db/client.ts";
import { confirmations } from "../db/schema/grants.ts";
import { admit } from "../partners/change-counts.ts";
import type { Grantee } from "./grantee.ts";

type Row = typeof confirmations.$inferSelect;

/** An agent's request that waits, or waited, for a person. Times are Unix milliseconds. */
export type Confirmation = Omit<Row, "preview"> & { readonly preview: Preview };

const confirmationOf = (row: Row): Confirmation => ({ ...row, preview: parseJson(previewSchema, row.preview) });

/** How long a request can be decided, and then carried out. An `idempotency_key` is replayed for at least as long, so it is carried out once. */
const OPEN_FOR = limits.confirmations.hours * HOUR;

/** What an agent asks for: an operation with its arguments, its token among them. */
interface Asked {
  readonly operation: string;
  readonly permission: string;
  readonly given: unknown;
  readonly preview: Preview;
}

/**
 * The confirmation of a request: the one that it has, or a new one. A request with other arguments, another token, or another price in
 * the catalogue is another request. One D1 round trip for one that is known, three for a new one.
 * @throws ServiceFailure `rate_limited` if too many were asked for today
 */
export async function confirmationFor(deps: InDirectory, grantee: Grantee, asked: Asked): Promise<Confirmation> {
  const { directory, clock } = deps;
  const { operation, permission, given, preview } = asked;
  const request = await requestOf(operation, given);
  const fingerprint = await sha256Hex(canonicalJson([request, preview]));
  const isSame = and(eq(confirmations.grantId, grantee.grantId), eq(confirmations.fingerprint, fingerprint));
  const find = async () => (await directory.select().from(confirmations).where(isSame).limit(1).all()).map(confirmationOf)[0];
  const known = await find();
  if (known !== undefined) return known;
  const { partnerId } = grantee.caller;
  await admit(deps, "confirmation", partnerId);
  const now = clock.now();
  const row = {
    id: newId("conf"),
    partnerId,
    grantId: grantee.grantId,
    clientName: grantee.clientName,
    operation,
    permission,
    request,
    fingerprint,
    preview: JSON.stringify(preview),
    requestedAt: now,
    expiresAt: now + OPEN_FOR,
    decision: null,
    decidedAt: null,
    decidedBy: null,
    begunAt: null,
    doneAt: null,
  };
  // Two equal requests at one moment are one row.
  await directory.insert(confirmations).values(row).onConflictDoNothing();
  return (await find()) ?? confirmationOf(row);
}

/** An optional field that is null is as one that is left out. */
const requestOf = (operation: string, given: unknown) => sha256Hex(canonicalJson([operation, withoutNullFields(given)]));

const withoutNullFields = (given: unknown): unknown =>
  typeof given === "object" && given !== null ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) : given;

/**
 * Notes that a request that was approved has its result, whichever of its repeats got it first. One D1 round trip; nothing for a
 * request that needed no approval.
 */
export async function noteDone(
  { directory, clock }: InDirectory,
  grantId: string,
  { operation, given }: Pick<Asked, "operation" | "given">,
): Promise<void> {
  const isSame = and(eq(confirmations.grantId, grantId), eq(confirmations.request, await requestOf(operation, given)));
  await directory.update(confirmations).set({ doneAt: clock.now() }).where(and(isSame, sql`decision = 'approved' AND done_at IS NULL`));
}

/** One confirmation by its id; undefined for an unknown one. */
export async function findConfirmation(directory: Directory, id: string): Promise<Confirmation | undefined> {
  const rows = await directory.select().from(confirmations).where(eq(confirmations.id, id)).all();
  return rows.map(confirmationOf)[0];
}

/** The confirmations of a partner, newest first, after a given one: all, or those alone that wait for a person. */
export async function listConfirmations(
  { directory, clock }: InDirectory,
  partnerId: string,
  { after, isPending }: { readonly after: { readonly at: number; readonly id: string } | undefined; readonly isPending: boolean },
  limit: number,
): Promise<Confirmation[]> {
  const { requestedAt, expiresAt, decision, doneAt, id } = confirmations;
  const now = clock.now();
  const isNext = after && or(lt(requestedAt, after.at), and(eq(requestedAt, after.at), lt(id, after.id)));
  // None waits for longer, so older ones are not read.
  const waits = and(gt(requestedAt, now - OPEN_FOR), gt(expiresAt, now), isNull(decision), isNull(doneAt));
  const isOwn = and(eq(confirmations.partnerId, partnerId), isPending ? waits : undefined);
  const rows = await directory
    .select()
    .from(confirmations)
    .where(and(isOwn, isNext))
    .orderBy(desc(requestedAt), desc(id))
    .limit(limit)
    .all();
  return rows.map(confirmationOf);
}

/** Notes that an approved request is carried out now. False if its approval was taken back, or is over. One D1 round trip. */
export async function begin({ directory, clock }: InDirectory, { id }: Pick<Confirmation, "id">): Promise<boolean> {
  const now = clock.now();
  const isApproved = and(eq(confirmations.id, id), eq(confirmations.decision, "approved"), gt(confirmations.expiresAt, now));
  const { meta } = await directory
    .update(confirmations)
    .set({ begunAt: sql`COALESCE(begun_at, ${now})` })
    .where(isApproved);
  return meta.changes > 0;
}

/** Notes that nothing of a request was begun after all: its approval can be taken back again. */
export async function forgetBegin({ directory }: Pick<InDirectory, "directory">, { id }: Pick<Confirmation, "id">): Promise<void> {
  await directory
    .update(confirmations)
    .set({ begunAt: null })
    .where(and(eq(confirmations.id, id), isNull(confirmations.doneAt)));
}

/**
 * Decides a request that waits. An approval can be taken back, by a refusal, until the request is carried out. Any other request stays
 * as it is: the answer is what it is then. An approved request can be carried out for {@link OPEN_FOR}.
 */
export async function decide(
  { directory, clock }: InDirectory,
  found: Confirmation,
  decision: "approved" | "refused",
  actor: Actor,
): Promise<Confirmation> {
  const now = clock.now();
  const state = stateOfConfirmation(found, now);
  if (state !== "pending" && !(state === "approved" && decision === "refused")) return found;
  const { id, partnerId, grantId, operation } = found;
  const isOpen = and(
    eq(confirmations.id, id),
    isNull(confirmations.begunAt),
    isNull(confirmations.doneAt),
    gt(confirmations.expiresAt, now),
  );
  const isWaiting = and(isOpen, decision === "refused" ? sql`decision IS NOT 'refused'` : isNull(confirmations.decision));
  const action = `confirmation.${decision === "approved" ? "approve" : "refuse"}` as const;
  const entry = { actor, action, target: id, partnerId, after: { grant: grantId, operation } };
  const set = { decision, decidedAt: now, decidedBy: actor.name, ...(decision === "approved" ? { expiresAt: now + OPEN_FOR } : {}) };
  await directory.batch([
    auditRow(directory, entry, now, sql`EXISTS (SELECT 1 FROM ${confirmations} WHERE ${isWaiting})`),
    directory.update(confirmations).set(set).where(isWaiting),
  ]);
  return (await findConfirmation(directory, id)) ?? found;
}
