import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, SECOND, startOfUtcDay } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell, Directory } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { readPosition, writePosition } from "../db/walk.ts";
import { partnersOfCell } from "../partners/location-store.ts";
import type { FindPartnerLocation } from "../partners/locations.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import { closeStatements } from "./statements.ts";
import { readTerms } from "./terms.ts";

/** Partners per step, and the time limit of a minute's steps. */
const PAGE = 20;
const BUDGET = 10 * SECOND;
const NAME = "statements";

interface SweepDeps {
  readonly db: Cell;
  readonly databaseName: CellCode;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly log: Log;
  readonly locationOf: FindPartnerLocation;
  readonly ofPartner: (location: PartnerLocation) => { readonly data: PartnerData<{ readonly db: Cell }> };
}

/**
 * Closes the statements of the cell's partners that are due, once a day: the next minute goes on where this one's time ended. Returns
 * the number of closed statements.
 */
export async function sweepStatements(deps: SweepDeps): Promise<number> {
  const { db, databaseName, directory, clock } = deps;
  const today = String(startOfUtcDay(clock.now()));
  // `<day>` when a day's round is over, `<day> <last partner>` within it.
  const [day = "", after = ""] = (await readPosition(db, NAME)).split(" ");
  const isBegun = day === today;
  if (isBegun && after === "") return 0;
  let closed = 0;
  let last = isBegun ? after : "";
  for (const budget = new CallBudget(clock, BUDGET); budget.remaining() > 0; ) {
    const ids = await partnersOfCell(directory, databaseName, last, PAGE);
    for (const id of ids) {
      closed += await closeOrLog(deps, id);
      last = id;
      await writePosition(db, NAME, `${today} ${last}`);
      if (budget.remaining() <= 0) return closed;
    }
    if (ids.length === PAGE) continue;
    await writePosition(db, NAME, today);
    break;
  }
  return closed;
}

/** A partner whose month cannot be closed keeps no other one waiting: the next day tries again. */
async function closeOrLog(deps: SweepDeps, partnerId: string): Promise<number> {
  try {
    return await closeOf(deps, partnerId);
  } catch (thrown) {
    deps.log.error("statements not closed", { partner: partnerId, ...errorFields(thrown) });
    return 0;
  }
}

/** A partner's statements are in its current cell. */
async function closeOf({ db, databaseName, clock, locationOf, ofPartner }: SweepDeps, partnerId: string): Promise<number> {
  const location = await locationOf(partnerId, { fresh: true });
  if (location === null || location.cell !== databaseName) return 0;
  const { data } = ofPartner(location);
  const of = { partnerId, data, db, terms: await readTerms(db, partnerId), timeZone: location.timeZone };
  return closeStatements({ clock }, of, null);
}
