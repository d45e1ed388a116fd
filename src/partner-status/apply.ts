import type { CellCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { MessageQueue } from "../core/message-queue.ts";
import type { Cell, Directory } from "../db/client.ts";
import { disabledPartners } from "../partners/location-store.ts";
import { type DisabledPartners, writeDisabledPartners } from "../short-links/disabled-partners.ts";
import { heldPartners, holdEndpointsOf, partnersWithActiveEndpoint, releaseEndpointsOf } from "../webhooks/admin/hold.ts";

interface StatusCell {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly clock: Clock;
  readonly deliveryQueue: MessageQueue;
}

interface StatusDeps {
  readonly directory: Directory;
  readonly everyCell: () => readonly StatusCell[];
  readonly shortLinkCache: KVNamespace;
  readonly disabledPartners: DisabledPartners;
  readonly log: Log;
}

/**
 * Applies the disabled partners of the directory elsewhere: to the list in KV, which stops their short links, and to
 * the endpoints, whose events are kept until the partner is enabled again. It runs after each change and in the cron,
 * because a change may have been interrupted, and a database may have been unreachable. Returns the number of applied
 * changes. One D1 round trip to the directory and one to each cell if nothing has changed; two if a partner is
 * disabled.
 */
export async function applyPartnerStatus(deps: StatusDeps): Promise<number> {
  const disabled = await disabledPartners(deps.directory);
  const all = disabled.map(({ id }) => id);
  const inKv = await tryOn(deps, { list: "KV" }, async () => ((await writeDisabledPartners(deps.shortLinkCache, all)) ? 1 : 0));
  deps.disabledPartners.forget();
  // In parallel, so that a slow cell does not delay the others.
  const inCells = await Promise.all(
    deps.everyCell().map((cell) => {
      const here = disabled.filter((partner) => partner.cell === cell.databaseName).map(({ id }) => id);
      return tryOn(deps, { cell: cell.databaseName }, () => applyInCell(cell, here, all));
    }),
  );
  return inCells.reduce((sum, changed) => sum + changed, inKv);
}

/** If it fails, the cron tries again, and nothing else is delayed. */
async function tryOn({ log }: StatusDeps, where: Readonly<Record<string, string>>, apply: () => Promise<number>): Promise<number> {
  try {
    return await apply();
  } catch (thrown) {
    log.error("partner status not applied", { ...where, ...errorFields(thrown) });
    return 0;
  }
}

/** `all` includes partners that are moving: they are disabled in both cells. */
async function applyInCell(cell: StatusCell, disabled: readonly string[], all: readonly string[]): Promise<number> {
  const held = await heldPartners(cell.db);
  const toHold = disabled.length === 0 ? [] : await partnersWithActiveEndpoint(cell.db, disabled);
  const toRelease = held.filter((id) => !all.includes(id));
  for (const id of toHold) await holdEndpointsOf(cell, id);
  for (const id of toRelease) await releaseEndpointsOf(cell, id);
  return toHold.length + toRelease.length;
}
