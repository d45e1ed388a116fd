import * as z from "zod";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { dayIn } from "../core/time-zone.ts";
import { type Cell, runBatch } from "../db/client.ts";
import { isAt, movePosition, readPosition, writePosition } from "../db/walk.ts";
import { findLinksBySlugs } from "../links/admin/links.ts";
import type { FindPartnerLocation } from "../partners/locations.ts";
import { PAGE, type ReadOpens } from "./analytics.ts";
import { addOpens } from "./store.ts";

/** Openings are summed by quarter of an hour: the days of every time zone begin with one. */
const QUARTER = 15 * MINUTE;
/** By then the platform has all points of a quarter. */
const SETTLED_AFTER = 5 * MINUTE;
/** The time of one run. What it leaves, the next one does. */
const BUDGET = 10 * SECOND;

const NAME = "link_opens";

/** The quarter that is being summed, by its start, and the last slug that was; empty at its beginning. */
const positionSchema = z.object({ quarter: z.int(), after: z.string() });

interface OpensDeps {
  readonly db: Cell;
  readonly databaseName: CellCode;
  readonly clock: Clock;
  readonly locationOf: FindPartnerLocation;
  /** Null: this service does not count openings. */
  readonly readOpens: ReadOpens | null;
}

/**
 * Adds the openings of the quarters that are over to the days of a cell's links. The sums of a page and the position behind it
 * are one transaction, which only one run does, so each opening is added once, whatever is interrupted. Counting begins with the
 * first run. Of a partner that moves, a quarter may be missed or added twice. Returns the number of links.
 */
export async function sweepOpens({ db, databaseName, clock, locationOf, readOpens }: OpensDeps): Promise<number> {
  if (readOpens === null) return 0;
  const budget = new CallBudget(clock, BUDGET);
  let known = await readPosition(db, NAME);
  if (known === "") {
    await writePosition(db, NAME, JSON.stringify({ quarter: quarterOf(clock.now()), after: "" }));
    return 0;
  }
  let { quarter, after } = positionSchema.parse(JSON.parse(known));
  let counted = 0;
  while (quarter + QUARTER + SETTLED_AFTER <= clock.now() && budget.remaining() > 0) {
    const page = await readOpens({ from: quarter, to: quarter + QUARTER }, after, { budget });
    const rows = await rowsOf({ db, databaseName, locationOf }, page, quarter);
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) {
      quarter += QUARTER;
      after = "";
    } else after = last.slug;
    const next = JSON.stringify({ quarter, after });
    await runBatch(db, [addOpens(db, rows, isAt(NAME, known)), movePosition(db, NAME, known, next)]);
    if ((await readPosition(db, NAME)) !== next) return counted;
    known = next;
    counted += rows.length;
  }
  return counted;
}

/** Those of the openings whose links this cell has for their partners. The cell that a partner has left keeps a copy, which counts nothing. */
async function rowsOf(
  { db, databaseName, locationOf }: Pick<OpensDeps, "db" | "databaseName" | "locationOf">,
  page: Awaited<ReturnType<ReadOpens>>,
  at: number,
) {
  const opens = new Map(page.map((one) => [one.slug, one.opens]));
  const rows = [];
  for (const { id, partnerId, environment, slug } of await findLinksBySlugs(db, [...opens.keys()])) {
    const location = await locationOf(partnerId);
    const isHere = location !== null && (location.cell === databaseName || location.earlier.some(({ cell }) => cell === databaseName));
    if (isHere)
      rows.push({ paymentLinkId: id, partnerId, environment, day: dayIn(at, location.timeZone), opens: opens.get(slug ?? "") ?? 0 });
  }
  return rows;
}

const quarterOf = (time: number): number => time - (time % QUARTER);
