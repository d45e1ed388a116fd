import * as z from "zod";
import { countBankPaymentsByDay } from "../bank-payments/daily-bank-payments.ts";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, DAY, HOUR, SECOND, startOfUtcDay } from "../core/clock.ts";
import { FIGURE_DAYS, type Retention } from "../core/retention.ts";
import { type Cell, type Directory, runBatch } from "../db/client.ts";
import { readPosition, setPosition } from "../db/walk.ts";
import { countMovementsByDay } from "../ledger/movements/daily.ts";
import { partnersOfCell } from "../partners/location-store.ts";
import { countDeliveriesByDay } from "../webhooks/admin/daily-deliveries.ts";
import { countEndpointsByDay } from "../webhooks/admin/daily-endpoints.ts";
import { deleteDaysBefore, forgetPulled, readCounted, storeDeliveries, storeEndpoints, storePayments, storeTotals } from "./store.ts";

/** The interval of a full count. */
const EVERY = HOUR;
/** Each round counts this many days again, today included: later failures and deliveries belong to earlier days. */
const RECENT_DAYS = 5;
/** Partners per batch, and the time limit of a minute's batches. */
const PAGE = 50;
const BUDGET = 10 * SECOND;

const NAME = "figures";

/**
 * The progress of a round. `day` is being counted, and `after` is the last partner counted for it. `counted`: when the
 * last round was complete. A round is over when its day is after the day on which it started.
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
 * Counts the figures of the operators' charts by partner and day, once an hour: the last days, and once a day all of
 * them. Each transaction counts one day of some partners; the next minute continues where this one's time ended. So a
 * chart reads no payments and no events. Returns the number of counted batches.
 */
export async function sweepFigures(deps: FiguresDeps): Promise<number> {
  const { db, directory, clock, databaseName, settings } = deps;
  const budget = new CallBudget(clock, BUDGET);
  let round = nextRound(await lastRound(db), clock.now());
  let batches = 0;
  for (; round !== null && !isOver(round) && budget.remaining() > 0; batches += 1) {
    const ids = await partnersOfCell(directory, databaseName, round.after, PAGE);
    const isLast = ids.length < PAGE;
    const next = afterPage(round, isLast ? null : (ids.at(-1) ?? null), clock.now());
    const day = { from: round.day, to: round.day + DAY };
    await runBatch(db, [
      storePayments(db, countMovementsByDay(ids, day)),
      storePayments(db, countBankPaymentsByDay(ids, day)),
      storeDeliveries(db, countDeliveriesByDay(ids, day)),
      storeEndpoints(db, countEndpointsByDay(ids, day)),
      ...forgetPulled(db, ids, day),
      ...(isLast ? storeTotals(db, round.day) : []),
      ...(isOver(next) ? deleteDaysBefore(db, clock.now() - settings.retention.daily_figure_days) : []),
      setPosition(db, NAME, JSON.stringify(next)),
    ]);
    round = next;
  }
  return batches;
}

/** The figures of some partners on the day that starts at a time, counted now and not stored. */
export async function countDay(db: Cell, partnerIds: readonly string[], from: number) {
  const day = { from, to: from + DAY };
  return readCounted(db, {
    payments: [countMovementsByDay(partnerIds, day), countBankPaymentsByDay(partnerIds, day)],
    deliveries: countDeliveriesByDay(partnerIds, day),
  });
}

/** When the figures of a cell were last counted; null if never. */
export async function countedAt(db: Cell): Promise<number | null> {
  return (await lastRound(db))?.counted ?? null;
}

async function lastRound(db: Cell): Promise<Round | null> {
  const position = await readPosition(db, NAME);
  return position === "" ? null : roundSchema.parse(JSON.parse(position));
}

/** The round to continue; null if the last one is complete and recent. */
export function nextRound(last: Round | null, now: number): Round | null {
  if (last !== null && !isOver(last)) return last;
  if (last !== null && now - last.began < EVERY) return null;
  const isFirstOfDay = last === null || startOfUtcDay(last.began) < startOfUtcDay(now);
  const days = isFirstOfDay ? FIGURE_DAYS : RECENT_DAYS;
  return { began: now, day: startOfUtcDay(now) - (days - 1) * DAY, after: "", counted: last?.counted ?? null };
}

/** The round after a page: at the next page, at the next day, or over. */
export function afterPage(round: Round, after: string | null, now: number): Round {
  if (after !== null) return { ...round, after };
  const next = { ...round, day: round.day + DAY, after: "" };
  return isOver(next) ? { ...next, counted: now } : next;
}

function isOver({ began, day }: Round): boolean {
  return day > startOfUtcDay(began);
}
