import * as z from "zod";
import type { Product } from "../../catalogue/admin/store.ts";
import { isoTime } from "../../core/clock.ts";
import { toMajorUnits } from "../../core/money.ts";
import { stateOfCode, stateOfKey, stateOfLink, stateOfPerson, stateOfSubscription } from "../../core/object-states.ts";
import type { ListedLink } from "../../links/admin/links.ts";
import { costOf, linesIn } from "../../links/store.ts";
import { itemsIn, namesOfItems } from "../../orders/items.ts";
import type { OrderRow } from "../../orders/store.ts";
import type { ListedKey } from "../../partners/admin/keys.ts";
import type { Employee } from "../../partners/people/employees.ts";
import type { PromotionCodeRow } from "../../promotions/deactivate.ts";
import type { SubscriptionRow } from "../../subscriptions/list-subscriptions.ts";

const text = z.string().nullable();

/** What a search says of an object besides its kind and id, to partners and operators alike. */
export const saidFields = {
  title: text.describe("What people call it: the customer, the products, the code, the name"),
  state: text.describe("As its list says; null where it has none"),
  currency: text,
  amount: z.number().nullable().describe("What was charged, or the price, in major units"),
  at: text.describe("When it began or was made"),
} as const;

const saidSchema = z.object(saidFields);

type Said = z.input<typeof saidSchema>;

export const NOTHING_SAID: Said = { title: null, state: null, currency: null, amount: null, at: null };

export const sayOrder = (row: OrderRow): Said => ({
  title: row.email ?? row.customerName ?? namesOfItems(itemsIn(row.items)),
  state: row.status,
  currency: row.currency,
  amount: toMajorUnits(row.charged, row.currency),
  at: isoTime(row.createdAt),
});

export function sayLink(row: ListedLink, now: number): Said {
  const lines = linesIn(row.items);
  const amount = lines.length === 0 ? null : toMajorUnits(costOf(lines), row.currency);
  return { title: namesOfItems(lines), state: stateOfLink(row, now), currency: row.currency, amount, at: isoTime(row.createdAt) };
}

export const sayProduct = (row: Product["row"]): Said => ({
  title: row.name,
  state: row.moderation,
  currency: row.currency,
  amount: toMajorUnits(row.unitAmount, row.currency),
  at: isoTime(row.createdAt),
});

export const sayCode = (
  row: Pick<PromotionCodeRow, "code" | "percentOff" | "createdAt" | "deactivatedAt" | "expiresAt">,
  now: number,
): Said => ({
  ...NOTHING_SAID,
  title: `${row.code} · ${row.percentOff} %`,
  state: stateOfCode(row, now),
  at: isoTime(row.createdAt),
});

export const saySubscription = (row: SubscriptionRow): Said => ({
  ...NOTHING_SAID,
  title: row.clientReferenceId,
  state: stateOfSubscription(row),
});

export const sayPerson = (row: Employee, now: number): Said => ({
  ...NOTHING_SAID,
  title: row.name,
  state: stateOfPerson(row, now),
  at: isoTime(row.createdAt),
});

export const sayKey = (row: ListedKey, now: number): Said => ({
  ...NOTHING_SAID,
  title: row.label,
  state: stateOfKey(row, now),
  at: isoTime(row.createdAt),
});
