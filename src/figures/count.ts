import * as z from "zod";
import { countBankPaymentsByDay } from "../bank-payments/daily.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, DAY, HOUR, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import { FIGURE_DAYS, type Retention } from "../core/retention.ts";
import { type Cell, type Directory, runBatch } from "../db/client.ts";
import { readPosition, setPosition } from "../db/walk.ts";
import { countMovementsByDay } from "../ledger/daily.ts";
import { partnersOfCell } from "../partners/store.ts";
import { countDeliveriesByDay } from "../webhooks/admin/daily.ts";
import { deleteDaysBefore, storeDeliveries, storePayments, storeTotals } from "./store.ts";

/** How often everything is counted anew. */
const EVERY = HOUR;
/** Each round counts as many days anew, today included: what failed or was delivered later is of an earlier day. */
const RECENT_DAYS = 5;
/** Partners of one batch, and the time for all batches of a minute. */
const PAGE = 50;
const BUDGET = 10 * SECOND;

const NAME = "figures";

/**
 * Where a round is. `day`: the one that is counted, and `after` the last partner that was counted for it. `counted`: when the
 * last round was complete. A round is over once its day is after the one on which it began.
 */
const roundSchema = z.object({ began: z.int(), day: z.int(), after: z.string(), counted: z.int().nullable() });
type Round = z.infer<typeof roundSchema>;

interface FiguresDeps {
  readonly db: Cell;
  readonly databaseName: CellCode;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly settings: { readonly retention: Retention };
}

/**
 * Counts what the operators' pictures show, by partner and day, an hour after it was counted last: the last days, and once a
 * day all of them. Each transaction counts one day of some partners; the next minute goes on where this one's time ended. So
 * no picture reads a payment or an event. Returns how often some partners were counted.
 */
export async function sweepFigures(deps: FiguresDeps): Promise<number> {
  const { db, directory, clock, databaseName, settings } = deps;
  const deadline = new Deadline(clock, BUDGET);
  let round = nextRound(await lastRound(db), clock.now());
  let batches = 0;
  for (; round !== null && !isOver(round) && deadline.remaining() > 0; batches += 1) {
    const ids = await partnersOfCell(directory, databaseName, round.after, PAGE);
    const isLast = ids.length < PAGE;
    const next = afterPage(round, isLast ? null : (ids.at(-1) ?? null), clock.now());
    const day = { from: round.day, to: round.day + DAY };
    await runBatch(db, [
      storePayments(db, countMovementsByDay(ids, day)),
      storePayments(db, countBankPaymentsByDay(ids, day)),
      storeDeliveries(db, countDeliveriesByDay(ids, day)),
      ...(isLast ? storeTotals(db, round.day) : []),
      ...(isOver(next) ? deleteDaysBefore(db, clock.now() - settings.retention.daily_figure_days) : []),
      setPosition(db, NAME, JSON.stringify(next)),
    ]);
    round = next;
  }
  return batches;
}

/** When the figures of a cell were counted last; null if never. */
export async function countedAt(db: Cell): Promise<number | null> {
  return (await lastRound(db))?.counted ?? null;
}

async function lastRound(db: Cell): Promise<Round | null> {
  const position = await readPosition(db, NAME);
  return position === "" ? null : roundSchema.parse(JSON.parse(position));
}

/** The round to go on with; null while the last one is over and not old enough. */
export function nextRound(last: Round | null, now: number): Round | null {
  if (last !== null && !isOver(last)) return last;
  if (last !== null && now - last.began < EVERY) return null;
  const isFirstOfDay = last === null || startOfDay(last.began) < startOfDay(now);
  const days = isFirstOfDay ? FIGURE_DAYS : RECENT_DAYS;
  return { began: now, day: startOfDay(now) - (days - 1) * DAY, after: "", counted: last?.counted ?? null };
}

/** The round after a page of its day: with the next page, the next day, or over. */
export function afterPage(round: Round, after: string | null, now: number): Round {
  if (after !== null) return { ...round, after };
  const next = { ...round, day: round.day + DAY, after: "" };
  return isOver(next) ? { ...next, counted: now } : next;
}

function isOver({ began, day }: Round): boolean {
  return day > startOfDay(began);
}

function startOfDay(time: number): number {
  return time - (time % DAY);
}
