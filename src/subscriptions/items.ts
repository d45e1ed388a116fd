import * as z from "zod";
import { parseJson } from "../core/json.ts";
import type { SubscribedItem } from "../processor/facts.ts";

const storedSchema = z.array(z.tuple([z.string(), z.int(), z.string(), z.int().nullable()]));

/** The stored form of a subscription's items: price, quantity, product and unit amount of each. Their order has no meaning. */
export function storedPrices(items: readonly SubscribedItem[]): string {
  const stored: z.infer<typeof storedSchema> = items.map(({ priceId, quantity, productId, unitAmount }) => [
    priceId,
    quantity,
    productId,
    unitAmount,
  ]);
  return JSON.stringify(stored.toSorted((left, right) => (String(left) < String(right) ? -1 : 1)));
}

/** The items of a stored subscription. */
export const pricesIn = (stored: string): SubscribedItem[] =>
  parseJson(storedSchema, stored).map(([priceId, quantity, productId, unitAmount]) => ({ priceId, quantity, productId, unitAmount }));

/** What an item is called: as the link named it that has its price, or another link that sells its product. */
export const nameOf = ({ priceId, productId }: SubscribedItem, names: ReadonlyMap<string, string | null>): string | null =>
  names.get(priceId) ?? names.get(productId) ?? null;

/** What items cost together for one period, in minor units; null if the amount of one is not known, and for none. */
export function priceOf(items: readonly SubscribedItem[]): number | null {
  const costs = items.map(({ unitAmount, quantity }) => (unitAmount === null ? null : unitAmount * quantity));
  return costs.length === 0 || costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

/** How often a year has an interval: 12 months, 52 weeks, 365 days. */
export const INTERVALS_A_YEAR = { day: 365, week: 52, month: 12, year: 1 } as const;

/** What an amount for each period comes to in a year, in minor units and parts of them; null if the period is not known. */
export function yearlyOf(amount: number, interval: string | null, intervalCount: number | null): number | null {
  const [, intervals] = Object.entries(INTERVALS_A_YEAR).find(([name]) => name === interval) ?? [];
  return intervals === undefined || intervalCount === null ? null : (amount * intervals) / intervalCount;
}

/** What a year's amount comes to in a month, in minor units. */
export const monthlyOf = (yearly: number): number => Math.round(yearly / 12);

/** The processor's statuses in which a period brings money, also of what ends: a trial does not yet. */
export const payingStatuses = ["active", "past_due"] as const;

export const isPaying = ({ status }: { readonly status: string }): boolean => payingStatuses.some((one) => one === status);
