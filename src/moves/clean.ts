import type { Cell } from "../db/client.ts";
import { movedCounts, movedKinds } from "../db/moved-rows.ts";
import { nextPosition, ROWS_AT_ONCE, ROWS_PER_STEP } from "./copy.ts";
import { between, deletesOf, keyAfter, unfinishedAfter } from "./rows.ts";
import { type Arrival, writeToTarget } from "./store.ts";

/** Deletes what something was still to be done with, so that the sweeps of the cell do not find it; and the counts by day. */
export async function deleteUnfinished(db: Cell, partnerId: string): Promise<void> {
  // Events before the endpoints that lead to them.
  for (const kind of movedKinds.filter(({ unfinished }) => unfinished.length > 0).toReversed()) {
    let isMore = true;
    while (isMore) {
      const results = await db.$client.batch(deletesOf(db, kind, partnerId, unfinishedAfter(kind, "", ROWS_AT_ONCE)));
      isMore = results.at(-1)?.meta.changes === ROWS_AT_ONCE;
    }
  }
  await deleteCounts(db, partnerId);
}

/** Deletes the partner's counts by day, which would be added to those of its other cell. */
export async function deleteCounts({ $client }: Cell, partnerId: string): Promise<void> {
  await $client.batch(movedCounts.map(({ name }) => $client.prepare(`DELETE FROM ${name} WHERE partner_id = ?`).bind(partnerId)));
}

/** One step of the walk that deletes the partner's rows in one of the two cells. Returns null at the end of the walk. */
export async function deleteStep(db: Cell, target: Cell, held: Arrival): Promise<Arrival | null> {
  const kind = movedKinds[held.kind];
  if (kind === undefined) return null;
  const end = await keyAfter(db, kind, held.position, ROWS_PER_STEP);
  await db.$client.batch(deletesOf(db, kind, held.partnerId, between(kind, held.position, end)));
  return writeToTarget(target, held, [], nextPosition(held, end));
}
