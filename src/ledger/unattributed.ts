import type { DIRECTORY } from "../core/cell-code.ts";
import type { Environment } from "../core/environment.ts";
import { errorFields } from "../core/log.ts";
import type { Cell, Directory } from "../db/client.ts";
import { Reach } from "../db/reach.ts";
import { readPosition, writePosition } from "../db/walk.ts";
import { missingSubscriptions, subscriptionsAfter } from "../subscriptions/store.ts";
import type { LedgerDeps } from "./look-up.ts";
import { transactionIdOf } from "./movement.ts";
import { withNamedOwner } from "./owners.ts";
import { refresh } from "./record-refreshes.ts";
import { sourceOfId } from "./sources.ts";
import { missingMovements, movementsAfter } from "./store.ts";

/** Entries that one run looks at, and those that it looks up at the processor. */
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
 * Looks up again the movements in the directory, which are there for want of an owner, that a cell has by now: another
 * event has shown the owner there; and those whose payment or subscription an operator has given to a partner. They are
 * then stored in that cell as they are now, and leave the directory. So only what
 * nobody is known to own is shown to operators, and nothing that was seen without an owner is lost. Two D1 round trips if
 * there is nothing. Returns the number of movements.
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
  // The next run goes on after the last one that was looked up, so those that stay do not keep others from their turn.
  const last = stored.length > MAX_LOOKUPS ? stored[MAX_LOOKUPS - 1]?.id : page.length < PAGE ? "" : ids.at(-1);
  if (last !== undefined && last !== from) await writePosition(directory, name, last);
  return stored.length;
}
