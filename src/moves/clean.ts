import type { Cell } from "../db/client.ts";
import { between, deletesOf, keyAfter, unfinishedAfter } from "../db/kind-rows.ts";
import { countsOf, movedKinds } from "../db/moved-rows.ts";
import { isLeft, nextPosition, ROWS_AT_ONCE, ROWS_PER_STEP } from "./copy.ts";
import { type IncomingMove, writeToTarget } from "./store.ts";

/** Deletes the partner's unfinished rows, so that the sweeps of the cell do not find them, and its daily counts. */
export async function deleteUnfinished(db: Cell, { partnerId, splits }: IncomingMove): Promise<void> {
  // Events are deleted before their endpoints, and links before the records that need them.
  for (const kind of movedKinds.toReversed()) {
    const unfinished = unfinishedAfter(kind, splits, "", ROWS_AT_ONCE);
    if (unfinished === null) continue;
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE; ) {
      const results = await db.$client.batch(deletesOf(db, kind, partnerId, unfinished));
      deleted = results.at(-1)?.meta.changes ?? 0;
    }
  }
  await deleteCounts(db, partnerId, splits);
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
