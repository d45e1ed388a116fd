import { stateOfSubscription } from "../core/object-states.ts";
import { isPaying, itemsOf, monthlyOf, yearlyOf } from "../subscriptions/items.ts";
import type { SubscriptionGroup } from "../subscriptions/summary.ts";

/** The subscriptions to one product at one interval and currency. `monthly` in minor units; null where a price is not known. */
export interface SubscribedProduct {
  readonly productId: string | null;
  readonly name: string | null;
  readonly interval: string | null;
  readonly intervalCount: number | null;
  readonly currency: string | null;
  readonly active: number;
  readonly trialing: number;
  readonly pastDue: number;
  readonly ending: number;
  readonly monthly: number | null;
}

const COUNTED = { active: "active", trialing: "trialing", past_due: "pastDue", ending: "ending" } as const;

/** The names of the products that some links sell, by their prices. */
export type NamesOfPrices = ReadonlyMap<string, string | null>;

/** The same with what they bring a year, in minor units and parts of them. */
interface CountedProduct extends Omit<SubscribedProduct, "monthly"> {
  readonly yearly: number | null;
}

/**
 * Counts the subscriptions of partners by product, with what they bring a year before discounts and fees: monthly ones by twelve,
 * quarterly ones by four. A subscription with several products counts for each of them.
 */
function countProducts(groups: readonly SubscriptionGroup[], names: NamesOfPrices): CountedProduct[] {
  const found = new Map<string, CountedProduct>();
  for (const { items: stored, interval, intervalCount, currency, count, ...group } of groups) {
    const state = stateOfSubscription(group);
    const field = Object.entries(COUNTED).find(([name]) => name === state)?.[1];
    if (field === undefined) continue;
    const items = itemsOf(stored);
    for (const item of items.length === 0 ? [undefined] : items) {
      const amount = (item?.unitAmount ?? 0) * (item?.quantity ?? 0) * count;
      const yearly = typeof item?.unitAmount === "number" ? yearlyOf(isPaying(state) ? amount : 0, interval, intervalCount) : null;
      const of = { productId: item?.productId ?? null, name: names.get(item?.priceId ?? "") ?? null, interval, intervalCount, currency };
      const key = JSON.stringify([of.productId, interval, intervalCount, currency]);
      const before = found.get(key) ?? { ...of, active: 0, trialing: 0, pastDue: 0, ending: 0, yearly: 0 };
      found.set(key, {
        ...before,
        [field]: before[field] + count,
        yearly: before.yearly === null || yearly === null ? null : before.yearly + yearly,
      });
    }
  }
  return [...found.values()];
}

/**
 * The subscriptions of partners by product, those that bring most first, and what all bring by currency. One subscription with several
 * products counts once for each. What a month brings is a twelfth of a year, rounded after all are added.
 */
export function summarize(groups: readonly SubscriptionGroup[], names: NamesOfPrices) {
  const products = countProducts(groups, names);
  const rows = products
    .map(({ yearly, ...row }): SubscribedProduct => ({ ...row, monthly: yearly === null ? null : monthlyOf(yearly) }))
    .toSorted((one, other) => (other.monthly ?? 0) - (one.monthly ?? 0));
  const byCurrency = [...Map.groupBy(products, ({ currency }) => currency)].flatMap(([currency, of]) =>
    currency === null ? [] : [{ currency, of }],
  );
  const totals = byCurrency
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
    .map(({ currency, of }) => ({
      currency,
      active: of.reduce((sum, { active, pastDue, ending }) => sum + active + pastDue + ending, 0),
      monthly: monthlyOf(of.reduce((sum, { yearly }) => sum + (yearly ?? 0), 0)),
    }));
  return { rows, totals };
}
