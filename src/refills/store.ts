import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Cell, Statement } from "../db/client.ts";
import { refillKinds, refills } from "../db/schema/refills.ts";

export { refillKinds };
export type RefillKind = (typeof refillKinds)[number];
export type Refill = typeof refills.$inferSelect;

/** The refills of a cell: at most the last one of each kind. */
export async function allRefills(db: Cell): Promise<Refill[]> {
  return db.select().from(refills).orderBy(asc(refills.kind)).all();
}

export async function findRefill(db: Cell, kind: RefillKind): Promise<Refill | undefined> {
  return db.select().from(refills).where(eq(refills.kind, kind)).get();
}

const isOpen = (kind: RefillKind) => and(eq(refills.kind, kind), isNull(refills.finishedAt));

/** SQL condition: a refill of this kind is running. */
export const goesOn = (kind: RefillKind) => sql`EXISTS (SELECT 1 FROM ${refills} WHERE ${isOpen(kind)})`;

/** Starts a refill, replacing a finished one. */
export function insertRefill(
  db: Cell,
  { kind, total, actor, startedAt }: Pick<Refill, "kind" | "total" | "actor" | "startedAt">,
): Statement {
  const row = { kind, total, actor, startedAt, position: "", done: 0, finishedAt: null, stopped: false };
  return db
    .insert(refills)
    .values(row)
    .onConflictDoUpdate({ target: refills.kind, set: row, setWhere: sql`${refills.finishedAt} IS NOT NULL` });
}

/** Stores a written page, unless another run has stored it, or the refill was stopped. `position`: null at the end. */
export async function notePage(
  db: Cell,
  { kind, position: from, startedAt }: Refill,
  { count, position, now }: { readonly count: number; readonly position: string | null; readonly now: number },
): Promise<void> {
  const isAsRead = and(isOpen(kind), eq(refills.position, from), eq(refills.startedAt, startedAt));
  await db
    .update(refills)
    .set({ done: sql`${refills.done} + ${count}`, ...(position === null ? { finishedAt: now } : { position }) })
    .where(isAsRead);
}

export function endRefill(db: Cell, kind: RefillKind, now: number): Statement {
  return db.update(refills).set({ finishedAt: now, stopped: true }).where(isOpen(kind));
}
