import type { Cell } from "../db/client.ts";
import { between, deletesOf, keyAfter, keysOf, unfinishedAfter, withKeys } from "../db/kind-rows.ts";
import { countsOf, movedKinds } from "../db/moved-rows.ts";
import { type Cells, isLeft, nextPosition, ROWS_AT_ONCE, ROWS_PER_STEP } from "./copy.ts";
import { type IncomingMove, writeToTarget } from "./store.ts";

/**
 * Deletes the partner's unfinished rows in the old cell, so that its sweeps do not find them, and its daily counts. A row that the new cell
 * has not stays: what unfinished rows need is worked out again each time, and another row may be the newest event by then.
 */
export async function deleteUnfinished({ source, target }: Cells, { partnerId, splits }: IncomingMove): Promise<void> {
  // Events are deleted before their endpoints, and links before the records that need them.
  for (const kind of movedKinds.toReversed()) {
    for (let after = ""; ; ) {
      const unfinished = unfinishedAfter(kind, splits, after, ROWS_AT_ONCE);
      const keys = unfinished === null ? [] : await keysOf(source, kind, partnerId, unfinished);
      const last = keys.at(-1);
      if (last === undefined) break;
      const copied = await keysOf(target, kind, partnerId, withKeys(kind, keys));
      await source.$client.batch(deletesOf(source, kind, partnerId, withKeys(kind, copied)));
      after = last;
    }
  }
  await deleteCounts(source, partnerId, splits);
}

/** Deletes the partner's daily counts, which would otherwise be added to those of its other cell. */
export async function deleteCounts({ $client }: Cell, partnerId: string, splits: boolean): Promise<void> {
  await $client.batch(countsOf(splits).map(({ name }) => $client.prepare(`DELETE FROM ${name} WHERE partner_id = ?`).bind(partnerId)));
}

/** One step of the walk that deletes the partner's rows in one of the two cells. Returns null at the end of the walk. */
export async function deleteStep(db: Cell, target: Cell, held: IncomingMove): Promise<IncomingMove | null> {
  const kind = movedKinds[held.kind];
  if (kind === undefined) return null;
  if (isLeft(held, kind)) return writeToTarget(target, held, [], nextPosition(held, null));
  const end = await keyAfter(db, kind, held.position, ROWS_PER_STEP);
  await db.$client.batch(deletesOf(db, kind, held.partnerId, between(kind, held.position, end)));
  return writeToTarget(target, held, [], nextPosition(held, end));
}
