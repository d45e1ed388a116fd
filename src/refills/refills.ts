import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { type Cell, runBatch } from "../db/client.ts";
import { countMovements } from "../ledger/movements/store.ts";
import { type RefillDeps, refillSnapshots, restoreErasureMarks } from "../ledger/refill-snapshots.ts";
import { isInOutage, overdueRefreshes } from "../ledger/refreshes-store.ts";
import { countShortLinks, refillShortLinks } from "../short-links/refill.ts";
import { allRefills, endRefill, findRefill, goesOn, insertRefill, notePage, type Refill, type RefillKind } from "./store.ts";

interface AdminDeps {
  readonly db: Cell;
  readonly databaseName: CellCode;
  readonly clock: Clock;
}

/**
 * Entries per page. A short link is one KV write. A snapshot is a look-up at the processor, which live payments need
 * too.
 */
const PAGE = { "short-links": 1_000, snapshots: 100 } as const;
/** The time for short links per minute. */
const BUDGET = 20 * SECOND;

/** Starts to rewrite a lost store; the cron continues it. Null if a refill of this kind is running. */
export async function startRefill({ db, databaseName, clock }: AdminDeps, kind: RefillKind, actor: Actor): Promise<Refill | null> {
  const now = clock.now();
  const known = await findRefill(db, kind);
  if (known !== undefined && known.finishedAt === null) return null;
  const total = await (kind === "snapshots" ? countMovements(db) : countShortLinks(db));
  const entry = { actor, action: `${kind}.refill` as const, target: databaseName, after: { total } };
  await runBatch(db, [auditRow(db, entry, now), insertRefill(db, { kind, total, actor: actor.name, startedAt: now })]);
  return (await findRefill(db, kind)) ?? null;
}

/** Stops a refill. Undefined if there was none; a finished one stays unchanged. */
export async function stopRefill({ db, databaseName, clock }: AdminDeps, kind: RefillKind, actor: Actor): Promise<Refill | undefined> {
  const now = clock.now();
  const entry = { actor, action: `${kind}.stop_refill` as const, target: databaseName };
  await runBatch(db, [auditRow(db, entry, now, goesOn(kind)), endRefill(db, kind, now)]);
  return findRefill(db, kind);
}

interface SweepDeps extends RefillDeps {
  readonly shortLinkCache: KVNamespace;
}

/** Continues the refills of a cell. Returns the number of written entries. */
export async function sweepRefills(deps: SweepDeps): Promise<number> {
  let written = 0;
  for (const { kind, finishedAt } of await allRefills(deps.db)) {
    if (finishedAt === null) written += await (kind === "snapshots" ? onePageOfSnapshots(deps) : pagesOfShortLinks(deps));
  }
  return written;
}

async function pagesOfShortLinks(deps: SweepDeps): Promise<number> {
  const budget = new CallBudget(deps.clock, BUDGET);
  let written = 0;
  for (;;) {
    const refill = await findRefill(deps.db, "short-links");
    if (refill === undefined || refill.finishedAt !== null || budget.remaining() <= 0) return written;
    const { count, next } = await refillShortLinks(deps, refill.position, PAGE["short-links"]);
    await notePage(deps.db, refill, { count, position: next, now: deps.clock.now() });
    written += count;
  }
}

/** The position of a refill that marks what is erased begins so; behind it stands the last key. */
const MARKING = "erased ";
/** Marks in one run: each is a call of R2, of which a run has ten thousand. */
const MARKS = 1_000;

/** A hundred per minute, and none while look-ups are late or the processor does not answer: live payments come first. */
async function onePageOfSnapshots(deps: SweepDeps): Promise<number> {
  const now = deps.clock.now();
  const [refill, late, isOut] = await Promise.all([
    findRefill(deps.db, "snapshots"),
    overdueRefreshes(deps.db, { until: now - MINUTE }, 1),
    isInOutage(deps.db),
  ]);
  if (refill === undefined || refill.finishedAt !== null) return 0;
  // One that was refused, and is to be tried again later, is not late.
  if (late.length > 0 || isOut) return 0;
  // Erasure marks come first, a page in each run: nothing may be fetched before.
  const isMarking = refill.position === "" || refill.position.startsWith(MARKING);
  if (isMarking) {
    const marked = await restoreErasureMarks(deps, refill.position.slice(MARKING.length), MARKS);
    if (marked !== null) {
      await notePage(deps.db, refill, { count: 0, position: `${MARKING}${marked}`, now });
      return 0;
    }
  }
  const { count, next } = await refillSnapshots(deps, isMarking ? "" : refill.position, PAGE.snapshots);
  await notePage(deps.db, refill, { count, position: next, now });
  return count;
}
