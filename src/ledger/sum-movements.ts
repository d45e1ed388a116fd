import { inArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Environment } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { paymentLinks } from "../db/schema/links.ts";
import type { Movement } from "./movement.ts";
import { listMovements, type MovementFilter } from "./movement-list.ts";

/** What movements of one kind add up to: signed, in minor units of `currency`. */
export interface MovementSum {
  readonly environment: Environment;
  readonly currency: string;
  readonly type: Movement["type"];
  /** The processor's ids of the products that their links sell; empty where there is no link. */
  readonly productIds: readonly string[];
  readonly count: number;
  readonly amount: number;
  /** Null while the fee of one of them is unknown. */
  readonly net: number | null;
}

type Period = Omit<MovementFilter, "limit">;

const PAGE = 1_000;

/**
 * The sums of a partner's movements of a period, by environment, currency, type and products. One D1 round trip for each thousand
 * movements, and one for the links.
 * @throws ServiceFailure `invalid_input` for more movements than are summed.
 */
export async function sumMovements(data: PartnerData, period: Period): Promise<MovementSum[]> {
  const movements = await movementsOf(data, period);
  const products = await productsOfLinks(data, [...new Set(movements.flatMap(({ paymentLinkId }) => paymentLinkId ?? []))]);
  const sums = new Map<string, MovementSum>();
  for (const { environment, currency, type, amount, net, paymentLinkId } of movements) {
    const productIds = (paymentLinkId === null ? undefined : products.get(paymentLinkId)) ?? [];
    const key = JSON.stringify([environment, currency, type, productIds]);
    const sum = sums.get(key) ?? { environment, currency, type, productIds, count: 0, amount: 0, net: 0 };
    const netSum = sum.net === null || net === null ? null : sum.net + net;
    sums.set(key, { ...sum, count: sum.count + 1, amount: sum.amount + amount, net: netSum });
  }
  return [...sums.values()].toSorted((left, right) => Math.abs(right.amount) - Math.abs(left.amount));
}

async function movementsOf(data: PartnerData, period: Period): Promise<Movement[]> {
  const found = new Map<string, Movement>();
  for (let to = period.to; ; ) {
    const page = await listMovements(data, { ...period, to, limit: PAGE });
    for (const movement of page.movements) found.set(movement.id, movement);
    const last = page.movements.at(-1);
    if (!page.hasMore || last === undefined) return [...found.values()];
    if (found.size > limits.sums.movements) {
      rejectInput(`there are more than ${limits.sums.movements} movements in this period: ask for a shorter one`, "created_gte");
    }
    // Movements of the same moment are on both pages.
    if (last.transactionDate === to) rejectInput(`more than ${PAGE} movements are of one moment: they cannot be summed`, "created_lte");
    to = last.transactionDate;
  }
}

const linesSchema = z.array(z.tuple([z.string()], z.unknown()));

/** The products of links, by the link's id. A link may be in any cell of its partner. */
async function productsOfLinks(data: PartnerData, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const { id, items } = paymentLinks;
  const rows = await data.each(({ db }) => db.select({ id, items }).from(paymentLinks).where(inArray(id, wanted)).all());
  return new Map(
    rows.flat().map((row) => {
      const lines = row.items === null ? [] : parseJson(linesSchema, row.items);
      return [row.id, [...new Set(lines.map(([productId]) => productId))].toSorted()];
    }),
  );
}
