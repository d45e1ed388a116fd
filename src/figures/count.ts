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
/** Each round counts as many days anew: what is paid, failed or delivered later is of an earlier day. */
const RECENT = 4 * DAY;
/** Partners of one batch, and the time for all batches of a minute. */
const PAGE = 50;
const BUDGET = 10 * SECOND;

const NAME = "figures";

/** Where a round is. `after`: the last partner that was counted; null once the round is complete. */
const roundSchema = z.object({ began: z.int(), from: z.int(), after: z.string().nullable() });
type Round = z.infer<typeof roundSchema>;

interface FiguresDeps {
  readonly db: Cell;
  readonly place: CellCode;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly settings: { readonly retention: Retention };
}

/**
 * Counts what the operators' pictures show, by partner and day, an hour after it was counted last: the last four days, and
 * once a day all of them. Partner after partner, as far as the minute's time allows; the next minute goes on. Then no
 * picture reads a payment or an event. Returns the number of partners counted.
 */
export async function sweepFigures(deps: FiguresDeps): Promise<number> {
  const { db, directory, clock, place, settings } = deps;
  const deadline = new Deadline(clock, BUDGET);
  let round = nextRound(await lastRound(db), clock.now());
  let counted = 0;
  while (round !== null && round.after !== null && deadline.remaining() > 0) {
    const ids = await partnersOfCell(directory, place, round.after, PAGE);
    const isLast = ids.length < PAGE;
    const after: Round = { ...round, after: isLast ? null : (ids.at(-1) ?? null) };
    await runBatch(db, [
      storePayments(db, countMovementsByDay(ids, round.from)),
      storePayments(db, countBankPaymentsByDay(ids, round.from)),
      storeDeliveries(db, countDeliveriesByDay(ids, round.from)),
      ...(isLast ? [...storeTotals(db, round.from), ...deleteDaysBefore(db, clock.now() - settings.retention.daily_figure_days)] : []),
      setPosition(db, NAME, JSON.stringify(after)),
    ]);
    round = after;
    counted += ids.length;
  }
  return counted;
}

/** When the figures of a cell were counted last, completely or in part; null if never. */
export async function countedAt(db: Cell): Promise<number | null> {
  return (await lastRound(db))?.began ?? null;
}

async function lastRound(db: Cell): Promise<Round | null> {
  const position = await readPosition(db, NAME);
  return position === "" ? null : roundSchema.parse(JSON.parse(position));
}

/** The round to go on with; null while the last one is complete and not old enough. */
export function nextRound(last: Round | null, now: number): Round | null {
  if (last !== null && last.after !== null) return last;
  if (last !== null && now - last.began < EVERY) return null;
  const isFirstOfDay = last === null || startOfDay(last.began) < startOfDay(now);
  return { began: now, from: startOfDay(now - (isFirstOfDay ? FIGURE_DAYS * DAY : RECENT)), after: "" };
}

function startOfDay(time: number): number {
  return time - (time % DAY);
}
