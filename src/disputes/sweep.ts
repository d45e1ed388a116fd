import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, DAY, SECOND } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import type { FindPartnerLocation } from "../partners/locations.ts";
import { disputeEvidenceDue } from "../webhooks/outbox/events/dispute-evidence-due.ts";
import { type OutboxDeps, recordEvent, runWithOutbox } from "../webhooks/outbox/store.ts";
import { type DisputeRow, isNoticeDue, noteNotice, noticeStages, unnoticedDisputes } from "./store.ts";

/** Disputes of a page, the pages of one stage in one run, and the time of a run: other sweeps wait for its end. */
const PAGE = 100;
const MAX_PAGES = 10;
const BUDGET = 10 * SECOND;

interface SweepDeps extends OutboxDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly clock: Clock;
  readonly log: Log;
  readonly locationOf: FindPartnerLocation;
}

/**
 * Records the notices of deadlines for evidence: each once, ten days and two days before it. A dispute that is first seen later has the
 * notice that is due then. Returns the number of notices.
 */
export async function sweepDueEvidence(deps: SweepDeps): Promise<number> {
  const now = deps.clock.now();
  const budget = new CallBudget(deps.clock, BUDGET);
  let recorded = 0;
  let from = now;
  for (const days of noticeStages) {
    const to = now + days * DAY;
    recorded += await noticesOf(deps, { from, to }, days, budget);
    from = to;
  }
  return recorded;
}

/** The notices of one stage, page by page. */
async function noticesOf(
  deps: SweepDeps,
  period: { readonly from: number; readonly to: number },
  days: number,
  budget: CallBudget,
): Promise<number> {
  const now = deps.clock.now();
  let recorded = 0;
  let after = { deadline: period.from, id: "" };
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const found = await unnoticedDisputes(deps.db, { after, to: period.to }, days, PAGE);
    for (const dispute of found) {
      // The next run has the others.
      if (budget.remaining() <= 0) return recorded;
      recorded += await noticeOrLog(deps, dispute, days, now);
    }
    const last = found.at(-1);
    if (found.length < PAGE || last === undefined) break;
    after = { deadline: last.evidenceDueBy ?? period.to, id: last.id };
  }
  return recorded;
}

/** The copy of a partner that moves has no notices, nor has a partner without a location: they keep no other waiting. */
async function noticeOrLog(deps: SweepDeps, dispute: DisputeRow, stage: number, now: number): Promise<number> {
  const { id, partnerId, evidenceDueBy } = dispute;
  try {
    const location = await deps.locationOf(partnerId, { fresh: true });
    if (location?.cell !== deps.databaseName || evidenceDueBy === null) return 0;
    const event = await disputeEvidenceDue.make(location.idCode, { ...dispute, evidenceDueBy, stage, now });
    await runWithOutbox(deps, [
      recordEvent(deps.db, event, now, isNoticeDue(id, evidenceDueBy, stage)),
      noteNotice(deps.db, id, evidenceDueBy, stage),
    ]);
    return 1;
  } catch (thrown) {
    deps.log.error("notice of a dispute not recorded", { dispute: id, ...errorFields(thrown) });
    return 0;
  }
}
