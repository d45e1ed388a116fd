import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { isoTime } from "../core/clock.ts";
import { type InDirectory, runBatch } from "../db/client.ts";
import { compareAgainFrom } from "./reconciliation-store.ts";

/**
 * Sets all comparisons with the processor's lists back to a time, in Unix milliseconds. The cron then compares the
 * entries since then, in some minutes per day of the period. The processor lists events of the last thirty days, and
 * other objects without limit.
 */
export async function compareAgain({ directory, clock }: InDirectory, since: number, actor: Actor): Promise<void> {
  const entry = { actor, action: "ledger.compare_again" as const, target: "comparisons", after: { since: isoTime(since) } };
  await runBatch(directory, [compareAgainFrom(directory, since), auditRow(directory, entry, clock.now())]);
}
