import type { Environment } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { productsOfLinks } from "../links/store.ts";
import type { Movement } from "./movement.ts";
import { listMovements, type MovementFilter } from "./movements/list.ts";

/** The sum of movements of one kind: signed, in minor units of `currency`. */
export interface MovementSum {
  readonly environment: Environment;
  readonly currency: string;
  readonly type: Movement["type"];
  /** The processor's ids of the products of their links; empty without a link. */
  readonly productIds: readonly string[];
  readonly count: number;
  readonly amount: number;
  /** Null if the fee of one of them is unknown. */
  readonly net: number | null;
}

type Period = Omit<MovementFilter, "limit">;

const PAGE = 1_000;

/**
 * The sums of a partner's movements in a period, by environment, currency, type and products. One D1 round trip per
 * thousand movements, and one for the links.
 * @throws ServiceFailure `invalid_input` above the limit of movements.
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
      rejectInput(`there are more than ${limits.sums.movements} movements in this period: request a shorter period`, "created_gte");
    }
    // Movements with the same time are on both pages.
    if (last.transactionDate === to) rejectInput(`more than ${PAGE} movements are of one moment: they cannot be summed`, "created_lte");
    to = last.transactionDate;
  }
}
