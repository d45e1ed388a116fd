import { stateOfSubscription } from "../core/object-states.ts";
import { addedUp, groupsBy } from "../core/sums.ts";
import { isPaying, monthlyOf, nameOf, priceOf, pricesIn, yearlyOf } from "../subscriptions/items.ts";
import type { SubscriptionGroup } from "../subscriptions/summary.ts";

/** The subscriptions of an environment to one product at one interval and currency. `monthly` in minor units; null where a price is not known. */
export interface SubscribedProduct extends Pick<SubscriptionGroup, "environment"> {
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
/** The states that count in the totals. */
const SUMMED = ["active", "past_due", "ending"];

/** The names of what some links sell, by price and by product. */
type Names = ReadonlyMap<string, string | null>;

/** The same with what they bring a year, in minor units and parts of them. */
interface CountedProduct extends Omit<SubscribedProduct, "monthly"> {
  readonly yearly: number | null;
}

/** What an amount of each period brings a year: nothing before a trial has ended. Null if it is not known. */
const broughtBy = (group: SubscriptionGroup, amount: number | null): number | null =>
  amount === null ? null : yearlyOf(isPaying(group) ? amount * group.count : 0, group.interval, group.intervalCount);

/**
 * Counts the subscriptions of partners by product, with what they bring a year before discounts and fees: monthly ones by twelve,
 * quarterly ones by four. A subscription with several products counts for each of them.
 */
function countProducts(groups: readonly SubscriptionGroup[], names: Names): CountedProduct[] {
  const found = new Map<string, CountedProduct>();
  for (const group of groups) {
    const { environment, interval, intervalCount, currency, count } = group;
    const state = stateOfSubscription(group);
    const field = Object.entries(COUNTED).find(([name]) => name === state)?.[1];
    if (field === undefined) continue;
    const items = pricesIn(group.items);
    for (const item of items.length === 0 ? [undefined] : items) {
      const yearly = item === undefined ? null : broughtBy(group, priceOf([item]));
      const productId = item?.productId ?? null;
      const key = JSON.stringify([environment, productId, interval, intervalCount, currency]);
      const nothing = {
        environment,
        productId,
        name: null,
        interval,
        intervalCount,
        currency,
        active: 0,
        trialing: 0,
        pastDue: 0,
        ending: 0,
        yearly: 0,
      };
      const before = found.get(key) ?? nothing;
      found.set(key, {
        ...before,
        name: before.name ?? (item === undefined ? null : nameOf(item, names)),
        [field]: before[field] + count,
        yearly: before.yearly === null || yearly === null ? null : before.yearly + yearly,
      });
    }
  }
  return [...found.values()];
}

/**
 * The subscriptions of partners by product, those that bring most first, and what all bring by currency and environment, where one counts once and one
 * without a known price brings nothing. What a month brings is a twelfth of a year, rounded after all are added.
 */
export function summarize(groups: readonly SubscriptionGroup[], names: Names) {
  const rows = countProducts(groups, names)
    .map(({ yearly, ...row }): SubscribedProduct => ({ ...row, monthly: yearly === null ? null : monthlyOf(yearly) }))
    .toSorted((one, other) => (other.monthly ?? 0) - (one.monthly ?? 0));
  const counted = groups.filter((group) => SUMMED.includes(stateOfSubscription(group)));
  const totals = groupsBy(counted, ({ currency, environment }) => `${currency} ${environment}`).flatMap(([, of]) => {
    const yearly = of.reduce((sum, group) => sum + (broughtBy(group, priceOf(pricesIn(group.items))) ?? 0), 0);
    const sums = { active: addedUp(["count"], of).count, monthly: monthlyOf(yearly) };
    return of.slice(0, 1).flatMap(({ environment, currency }) => (currency === null ? [] : [{ environment, currency, ...sums }]));
  });
  return { rows, totals };
}
