import type { DIRECTORY } from "../core/cell-code.ts";
import type { Environment } from "../core/environment.ts";
import { errorFields } from "../core/log.ts";
import type { Cell, Directory } from "../db/client.ts";
import { Reach } from "../db/reach.ts";
import { readPosition, writePosition } from "../db/walk.ts";
import { missingSubscriptions, subscriptionsAfter } from "../subscriptions/store.ts";
import type { LedgerDeps } from "./look-up.ts";
import { transactionIdOf } from "./movement.ts";
import { missingMovements, movementsAfter } from "./movements/store.ts";
import { withNamedOwner } from "./owners.ts";
import { refresh } from "./record-refreshes.ts";
import { sourceOfId } from "./sources.ts";

/** Entries that one run reads, and entries that it looks up at the processor. */
const PAGE = 500;
const MAX_LOOKUPS = 20;

interface UnattributedDeps extends LedgerDeps {
  readonly databaseName: typeof DIRECTORY;
  readonly directory: Directory;
}

interface Entry {
  readonly id: string;
  readonly environment: Environment;
}

/**
 * Looks up movements again that are in the directory because their owner was unknown: those that a cell has by now,
 * because another event showed the owner there, and those whose payment or subscription an operator has assigned to a
 * partner. They are then stored in that cell in their current state, and leave the directory. So operators only see
 * movements whose owner is unknown, and nothing that was seen without an owner is lost. Two D1 round trips if there is
 * nothing. Returns the number of movements.
 */
export function sweepUnattributedMovements(deps: UnattributedDeps): Promise<number> {
  return sweep(deps, "unattributed_movements", movementsAfter, missingMovements, transactionIdOf);
}

/** The same for subscriptions. */
export function sweepUnattributedSubscriptions(deps: UnattributedDeps): Promise<number> {
  return sweep(deps, "unattributed_subscriptions", subscriptionsAfter, missingSubscriptions, (id) => id);
}

async function sweep(
  deps: UnattributedDeps,
  name: string,
  entriesAfter: (db: Directory, from: string, limit: number) => Promise<readonly Entry[]>,
  missingIn: (db: Cell, ids: readonly string[]) => Promise<Set<string>>,
  processorIdOf: (id: string) => string,
): Promise<number> {
  const { directory, log } = deps;
  const from = await readPosition(directory, name);
  const page = await entriesAfter(directory, from, PAGE);
  const ids = page.map(({ id }) => id);
  const reach = new Reach();
  const missing =
    page.length === 0
      ? []
      : await Promise.all(deps.everyCell().map(({ databaseName, db }) => reach.ask(databaseName, () => missingIn(db, ids))));
  const named = page.length === 0 ? new Set() : await withNamedOwner(directory, ids);
  const stored = page.flatMap(({ id, environment }) => {
    const hasOwner = named.has(id) || missing.some((inThisCell) => inThisCell !== null && !inThisCell.has(id));
    const source = hasOwner ? sourceOfId(processorIdOf(id)) : null;
    return source === null ? [] : [{ id, environment, source }];
  });
  for (const { id, environment, source } of stored.slice(0, MAX_LOOKUPS)) {
    try {
      await refresh(deps, environment, source);
    } catch (thrown) {
      log.error("unattributed entry not looked up", { entry: id, ...errorFields(thrown) });
    }
  }
  // The next run continues after the last one that was looked up, so entries that stay do not block others.
  const last = stored.length > MAX_LOOKUPS ? stored[MAX_LOOKUPS - 1]?.id : page.length < PAGE ? "" : ids.at(-1);
  if (last !== undefined && last !== from) await writePosition(directory, name, last);
  return stored.length;
}
