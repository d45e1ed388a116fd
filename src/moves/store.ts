import { and, eq, lte, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { CellCode } from "../core/cell-code.ts";
import { type Cell, inList, violatedColumn } from "../db/client.ts";
import { arrivals, departureChanges, departures } from "../db/schema/moves.ts";

export type IncomingMove = typeof arrivals.$inferSelect;
export type Phase = IncomingMove["phase"];
type DeparturePhase = (typeof departures.$inferSelect)["phase"];

/** Another call works on the move now. Nothing was written. */
export class MoveTaken extends Error {
  override readonly name = "MoveTaken";
}

/** The move of a partner to this cell; undefined if there is none. */
export async function findIncomingMove(target: Cell, partnerId: string): Promise<IncomingMove | undefined> {
  return target.select().from(arrivals).where(eq(arrivals.partnerId, partnerId)).get();
}

/** All moves to this cell, oldest first. */
export async function allIncomingMoves(target: Cell): Promise<IncomingMove[]> {
  const found = await target.select().from(arrivals).all();
  return found.toSorted((left, right) => left.beganAt - right.beganAt);
}

/** The target of a partner that is leaving this cell, or has left it recently; null if there is none. */
export async function findOutgoingMove(source: Cell, partnerId: string): Promise<string | null> {
  const row = await source.select({ to: departures.toCell }).from(departures).where(eq(departures.partnerId, partnerId)).get();
  return row?.to ?? null;
}

/** Stores that a partner leaves for a cell, unless it is leaving already. */
export async function insertOutgoingMove(source: Cell, partnerId: string, toCell: CellCode, now: number): Promise<void> {
  await source.insert(departures).values({ partnerId, toCell, phase: "open", epoch: 0, phaseAt: now }).onConflictDoNothing();
}

/** Stores that a partner, or the moving part of a split, comes from a cell, unless this is stored already. */
export async function insertIncomingMove(
  target: Cell,
  { partnerId, fromCell, splits }: { readonly partnerId: string; readonly fromCell: CellCode; readonly splits: boolean },
  now: number,
): Promise<void> {
  const start = { phase: "copying", epoch: 0, kind: 0, position: "", copied: 0, differing: 0, writing: false, problem: null } as const;
  await target
    .insert(arrivals)
    .values({ partnerId, fromCell, splits, ...start, beganAt: now, phaseAt: now })
    .onConflictDoNothing();
}

/** Takes over a move: its previous worker can no longer write in either cell. Undefined if there is none. */
export async function takeMove(target: Cell, source: Cell, partnerId: string): Promise<IncomingMove | undefined> {
  const taken = await target
    .update(arrivals)
    .set({ epoch: sql`${arrivals.epoch} + 1` })
    .where(eq(arrivals.partnerId, partnerId))
    .returning()
    .get();
  if (taken === undefined) return undefined;
  await source
    .update(departures)
    .set({ epoch: taken.epoch })
    .where(and(eq(departures.partnerId, partnerId), sql`${departures.epoch} < ${taken.epoch}`));
  return taken;
}

/** A statement that fails its batch unless this worker holds the move. */
function onlyIfHeld({ $client }: Cell, table: "arrivals" | "departures", { partnerId, epoch, phase }: IncomingMove): D1PreparedStatement {
  const isHeld = `SELECT 1 FROM ${table} WHERE partner_id = ?1 AND epoch = ?2 ${table === "arrivals" ? "AND phase = ?3" : ""}`;
  const columns = table === "arrivals" ? "partner_id, from_cell" : "partner_id, to_cell";
  return $client
    .prepare(`INSERT INTO ${table} (${columns}) SELECT NULL, NULL WHERE NOT EXISTS (${isHeld})`)
    .bind(partnerId, epoch, ...(table === "arrivals" ? [phase] : []));
}

/** Writes in one transaction. @throws MoveTaken */
async function writeHeld(db: Cell, table: "arrivals" | "departures", held: IncomingMove, statements: readonly D1PreparedStatement[]) {
  try {
    const [, ...results] = await db.$client.batch([onlyIfHeld(db, table, held), ...statements]);
    return results;
  } catch (thrown) {
    if (violatedColumn(thrown)?.startsWith(`${table}.`) === true) throw new MoveTaken();
    throw thrown;
  }
}

/** Writes to the target cell, with the updated move. @throws MoveTaken */
export async function writeToTarget(
  target: Cell,
  held: IncomingMove,
  statements: readonly D1PreparedStatement[],
  changes: Partial<Omit<IncomingMove, "partnerId" | "epoch" | "writing">> = {},
): Promise<IncomingMove> {
  const set = (values: Partial<IncomingMove>) =>
    prepare(target, target.update(arrivals).set(values).where(eq(arrivals.partnerId, held.partnerId)));
  await writeHeld(target, "arrivals", held, [set({ writing: true }), ...statements, set({ ...changes, writing: false })]);
  return { ...held, ...changes };
}

/** Stores how far the old cell is closed. Returns since when, in Unix milliseconds. @throws MoveTaken */
export async function setOutgoingPhase(source: Cell, held: IncomingMove, phase: DeparturePhase, now: number): Promise<number> {
  const isThis = eq(departures.partnerId, held.partnerId);
  const phaseAt = sql`CASE WHEN ${departures.phase} = ${phase} THEN ${departures.phaseAt} ELSE ${now} END`;
  const since = source.select({ phaseAt: departures.phaseAt }).from(departures).where(isThis);
  const [, result] = await writeHeld(source, "departures", held, [
    prepare(source, source.update(departures).set({ phase, phaseAt }).where(isThis)),
    prepare(source, since),
  ]);
  return sinceSchema.parse(result?.results[0]).phase_at;
}

const sinceSchema = z.object({ phase_at: z.int() });

/** Rows that changed after they were copied, oldest change first. */
export async function changesSince(source: Cell, partnerId: string, limit: number) {
  const { seq, name, key } = departureChanges;
  return source
    .select({ seq, name, key })
    .from(departureChanges)
    .where(eq(departureChanges.partnerId, partnerId))
    .orderBy(seq)
    .limit(limit)
    .all();
}

/** Which of these rows changed after they were copied. */
export async function changedOf(source: Cell, partnerId: string, name: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { key } = departureChanges;
  const among = sql`${key} IN ${inList(keys)}`;
  const isOne = and(eq(departureChanges.partnerId, partnerId), eq(departureChanges.name, name), among);
  return new Set((await source.selectDistinct({ key }).from(departureChanges).where(isOne).all()).map((row) => row.key));
}

/** Deletes the noted changes up to one, after their rows were copied again. @throws MoveTaken */
export async function forgetChanges(source: Cell, held: IncomingMove, until: number): Promise<void> {
  const isCopied = and(eq(departureChanges.partnerId, held.partnerId), lte(departureChanges.seq, until));
  await writeHeld(source, "departures", held, [prepare(source, source.delete(departureChanges).where(isCopied))]);
}

/** Opens the cell to the partner again, unless another worker holds the move, or it has ended. */
export async function reopen(source: Cell, { partnerId, epoch }: IncomingMove, now: number): Promise<void> {
  const isOwn = and(eq(departures.partnerId, partnerId), lte(departures.epoch, epoch), ne(departures.phase, "open"));
  await source.update(departures).set({ phase: "open", phaseAt: now }).where(isOwn);
}

/** Deletes an outgoing move whose incoming move was never stored: the call that started it was interrupted. */
export async function deleteOutgoingMove(source: Cell, partnerId: string, toCell: string): Promise<void> {
  await source.delete(departures).where(and(eq(departures.partnerId, partnerId), eq(departures.toCell, toCell)));
}

/** Ends the outgoing move, if it has not ended. Returns whether no other partner leaves the cell. */
export async function endOutgoingMove(source: Cell, { partnerId, epoch }: IncomingMove): Promise<boolean> {
  const [, , others] = await source.batch([
    source.delete(departureChanges).where(eq(departureChanges.partnerId, partnerId)),
    source.delete(departures).where(and(eq(departures.partnerId, partnerId), lte(departures.epoch, epoch))),
    source.select({ partnerId: departures.partnerId }).from(departures).limit(1),
  ]);
  return others.length === 0;
}

/** Ends the move, if this worker holds it. Returns whether no other partner comes to the cell. */
export async function endIncomingMove(target: Cell, { partnerId, epoch }: IncomingMove): Promise<boolean> {
  const [, others] = await target.batch([
    target.delete(arrivals).where(and(eq(arrivals.partnerId, partnerId), eq(arrivals.epoch, epoch))),
    target.select({ partnerId: arrivals.partnerId }).from(arrivals).limit(1),
  ]);
  return others.length === 0;
}

/** Stores why a move is stuck, for operators. It is still tried again. */
export async function noteProblem(target: Cell, partnerId: string, problem: string): Promise<void> {
  await target.update(arrivals).set({ problem }).where(eq(arrivals.partnerId, partnerId));
}

/** A statement of the query builder, for a batch of the database itself. */
function prepare({ $client }: Cell, statement: { toSQL(): { readonly sql: string; readonly params: unknown[] } }): D1PreparedStatement {
  const { sql: text, params } = statement.toSQL();
  return $client.prepare(text).bind(...params);
}
