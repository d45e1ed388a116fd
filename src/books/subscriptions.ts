import * as z from "zod";
import { parseJson } from "../core/json.ts";
import { stateOfSubscription } from "../core/object-states.ts";
import type { LinkTerms } from "../links/store.ts";
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

/** The months of an interval: a year has 12, 52 weeks and 365 days. */
const MONTHS: Readonly<Record<string, number>> = { day: 12 / 365, week: 12 / 52, month: 1, year: 12 };

const pricesSchema = z.array(z.tuple([z.string(), z.int()]));

/** A product of a subscription; without `line`, its price is none of its link. */
interface SubscribedLine {
  readonly quantity: number;
  readonly line: LinkTerms["lines"][number] | undefined;
}

/** What is subscribed to: the stored prices of a subscription, as its link names them. Empty where no price is stored. */
export function subscribedLines(stored: string | null, terms: LinkTerms | undefined): SubscribedLine[] {
  const prices = stored === null ? [] : parseJson(pricesSchema, stored);
  return prices.map(([priceId, quantity]) => ({ quantity, line: terms?.lines.find((one) => one.priceId === priceId) }));
}

/** The states that bring money each period: a trial does not yet, and an ending one does until its end. */
const PAYING = ["active", "past_due", "ending"];
const COUNTED = { active: "active", trialing: "trialing", past_due: "pastDue", ending: "ending" } as const;

/**
 * What the subscriptions of partners bring a month, at the prices of their links, before discounts and fees: yearly ones by twelve,
 * quarterly ones by three. A subscription with several products counts for each of them.
 */
export function summarize(groups: readonly SubscriptionGroup[], links: ReadonlyMap<string, LinkTerms>): SubscribedProduct[] {
  const found = new Map<string, SubscribedProduct>();
  for (const group of groups) {
    const state = stateOfSubscription(group);
    const field = Object.entries(COUNTED).find(([name]) => name === state)?.[1];
    if (field === undefined) continue;
    const terms = group.paymentLinkId === null ? undefined : links.get(group.paymentLinkId);
    const lines = subscribedLines(group.items, terms);
    for (const { quantity, line } of lines.length === 0 ? [{ quantity: 1, line: undefined }] : lines) {
      const isKnown = terms !== undefined && line !== undefined && terms.interval !== null && terms.intervalCount !== null;
      const months = isKnown ? (MONTHS[terms.interval ?? ""] ?? 1) * (terms.intervalCount ?? 1) : 1;
      const monthly = isKnown ? (PAYING.includes(state) ? (line.unitAmount * quantity * group.count) / months : 0) : null;
      const of = {
        productId: line?.productId ?? null,
        name: line?.name ?? null,
        interval: terms?.interval ?? null,
        intervalCount: terms?.intervalCount ?? null,
        currency: terms?.currency ?? null,
      };
      const key = JSON.stringify([of.productId, of.interval, of.intervalCount, of.currency]);
      const before = found.get(key) ?? { ...of, active: 0, trialing: 0, pastDue: 0, ending: 0, monthly: 0 };
      found.set(key, {
        ...before,
        [field]: before[field] + group.count,
        monthly: before.monthly === null || monthly === null ? null : before.monthly + monthly,
      });
    }
  }
  return [...found.values()]
    .map((row) => ({ ...row, monthly: row.monthly === null ? null : Math.round(row.monthly) }))
    .toSorted((one, other) => (other.monthly ?? 0) - (one.monthly ?? 0));
}

/** The subscriptions and what they bring, by currency. One subscription with several products counts once for each. */
export function totalsOf(rows: readonly SubscribedProduct[]) {
  const groups = Map.groupBy(
    rows.filter(({ currency }) => currency !== null),
    ({ currency }) => currency ?? "",
  );
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, of]) => ({
      currency,
      active: of.reduce((sum, { active, pastDue, ending }) => sum + active + pastDue + ending, 0),
      monthly: of.reduce((sum, { monthly }) => sum + (monthly ?? 0), 0),
    }));
}
