import { type Clock, DAY } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import type { FindPartnerLocation } from "../partners/locations.ts";
import { disputeEvidenceDue } from "../webhooks/outbox/events/dispute-evidence-due.ts";
import { type OutboxDeps, runWithOutbox } from "../webhooks/outbox/run-with-outbox.ts";
import { recordEvent } from "../webhooks/outbox/store.ts";
import { type DisputeRow, isNoticeDue, noteNotice, unnoticedDisputes } from "./store.ts";

/** How many days before a deadline there is a notice, the last one first. */
const STAGES = [2, 10] as const;
/** Notices of one stage in one run. */
const PAGE = 100;

interface SweepDeps extends OutboxDeps {
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
  let recorded = 0;
  let from = now;
  for (const days of STAGES) {
    const to = now + days * DAY;
    for (const dispute of await unnoticedDisputes(deps.db, { from, to }, days, PAGE)) {
      recorded += await noticeOrLog(deps, dispute, days, now);
    }
    from = to;
  }
  return recorded;
}

/** A partner without a location, or one that moves at this moment, keeps no other waiting: the next minute tries again. */
async function noticeOrLog(deps: SweepDeps, dispute: DisputeRow, stage: number, now: number): Promise<number> {
  const { id, partnerId, evidenceDueBy } = dispute;
  try {
    const location = await deps.locationOf(partnerId);
    if (location === null || evidenceDueBy === null) return 0;
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
