import { type CellCode, firstCellOf, type IdCode, isCellCode, isIdCode } from "../core/cell-code.ts";
import type { EarlierCell, PartnerCells } from "../db/partner-data.ts";

/**
 * Where a partner's data is. The statements are plain SQL, because the Worker of the short links makes them too, and
 * does without a query builder: a customer waits for what it loads.
 */

/** The location of a partner's data, and its id code. */
export interface PartnerLocation extends PartnerCells {
  readonly idCode: IdCode;
  /** The partner's days and months are those of this time zone. */
  readonly timeZone: string;
}

/** A location, with what the partner asks for. */
export interface LocatedPartner extends PartnerLocation {
  /** Whether it wants an event for each checkout that ended unpaid. */
  readonly expiredCheckouts: boolean;
}

/** The earlier cells of a partner of the table `partners` as JSON, newest first. */
export const EARLIER_CELLS = `SELECT json_group_array(json_object('cell', cell, 'until', until)) FROM
  (SELECT earlier.cell AS cell, earlier.until AS until FROM earlier_cells AS earlier WHERE earlier.partner_id = partners.id ORDER BY until DESC)`;

/** Reads the earlier cells of a partner from a query. @throws if they are damaged */
export function readEarlier(text: string): readonly EarlierCell[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error("the earlier cells of a partner are no list");
  return list.map((one: Readonly<Record<string, unknown>>) => {
    const { cell, until } = one;
    if (!isCellCode(cell) || typeof until !== "number") throw new Error("an earlier cell of a partner is damaged");
    return { cell, until };
  });
}

/** A row of a query. */
type Row = Readonly<Record<string, unknown>>;

/** Where a partner is, from a row; null if a code is damaged. */
function readPlace({ cell, idCode }: Row): Pick<PartnerLocation, "cell" | "idCode"> | null {
  return isCellCode(cell) && isIdCode(idCode) ? { cell, idCode } : null;
}

/** The location in a row; null for a damaged one: it counts as no cell, and must not stop the work for other partners. */
export function readLocation(row: Row): LocatedPartner | null {
  const place = readPlace(row);
  const { timeZone, expiredCheckouts, earlier } = row;
  if (place === null || typeof timeZone !== "string" || typeof earlier !== "string") return null;
  return { ...place, timeZone, expiredCheckouts: expiredCheckouts === true || expiredCheckouts === 1, earlier: readEarlier(earlier) };
}

const LOCATION = `SELECT cell, id_code AS idCode, time_zone AS timeZone, expired_checkouts AS expiredCheckouts, (${EARLIER_CELLS}) AS earlier
  FROM partners WHERE id = ?`;

/** The location of a partner; null for an unknown partner. One round trip. */
export async function findLocation(directory: D1Database, partnerId: string): Promise<LocatedPartner | null> {
  const row = await directory.prepare(LOCATION).bind(partnerId).first<Row>();
  return row === null ? null : readLocation(row);
}

/** The condition is that of the partial index. */
const MOVED = "SELECT DISTINCT id_code AS idCode, cell FROM partners WHERE cell <> id_code";
const SPLIT = `SELECT DISTINCT partners.id_code AS idCode, earlier.cell AS cell FROM earlier_cells AS earlier
  JOIN partners ON partners.id = earlier.partner_id WHERE earlier.cell > ''`;

/** The further cells of the partners with each id code, besides its original cell. By index. One round trip. */
export async function readMovedCells(directory: D1Database): Promise<ReadonlyMap<IdCode, readonly CellCode[]>> {
  const answers = await directory.batch<Row>([directory.prepare(MOVED), directory.prepare(SPLIT)]);
  const found = answers.flatMap(({ results }) => results).flatMap((row) => readPlace(row) ?? []);
  const beside = found.filter((one) => one.cell !== firstCellOf(one.idCode));
  return new Map([...Map.groupBy(beside, (one) => one.idCode)].map(([code, ones]) => [code, [...new Set(ones.map((one) => one.cell))]]));
}
