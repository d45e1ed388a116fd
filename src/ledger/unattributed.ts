import type { CellCode } from "../core/cell-code.ts";
import { type Cell, type Directory, runBatch } from "../db/client.ts";
import { deleteSubscriptions, firstSubscriptionIds, missingSubscriptions } from "../subscriptions/store.ts";
import { deleteMovements, missingMovements, unattributedMovements } from "./store.ts";

/** Entries of each kind that one run looks at. */
const MAX_ENTRIES = 500;

interface UnattributedDeps {
  readonly directory: Directory;
  readonly cells: readonly CellCode[];
  readonly inCell: (cell: CellCode) => { readonly db: Cell };
}

/**
 * Deletes in the directory what a cell has by now: another event has shown the owner, and was stored there. So only what
 * nobody is known to own is shown to operators. One D1 round trip if there is nothing. Returns the number of entries.
 */
export async function sweepUnattributed({ directory, cells, inCell }: UnattributedDeps): Promise<number> {
  const [movements, subscriptions] = await directory.batch([
    unattributedMovements(directory, MAX_ENTRIES),
    firstSubscriptionIds(directory, MAX_ENTRIES),
  ]);
  if (movements.length === 0 && subscriptions.length === 0) return 0;
  const movementIds = movements.map(({ id }) => id);
  const subscriptionIds = subscriptions.map(({ id }) => id);
  const inCells = cells.map(async (cell) => {
    const { db } = inCell(cell);
    const missing = await Promise.all([missingMovements(db, movementIds), missingSubscriptions(db, subscriptionIds)]);
    return { movements: missing[0], subscriptions: missing[1] };
  });
  const found = await Promise.all(inCells);
  const storedMovements = movementIds.filter((id) => found.some((missing) => !missing.movements.has(id)));
  const storedSubscriptions = subscriptionIds.filter((id) => found.some((missing) => !missing.subscriptions.has(id)));
  const count = storedMovements.length + storedSubscriptions.length;
  if (count > 0)
    await runBatch(directory, [deleteMovements(directory, storedMovements), deleteSubscriptions(directory, storedSubscriptions)]);
  return count;
}
