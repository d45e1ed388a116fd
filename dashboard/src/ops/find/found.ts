import { moneyText } from "../../shared/money-text.ts";
import { texts } from "../../texts/index.ts";
import type { RowOf } from "../api/client.ts";
import { words } from "../texts.ts";

export type Found = RowOf<"/ops/find">;

/** The page of a found object; null for one that has none. */
export function pageOfFound({ kind, id, partner_id }: Found): string | null {
  const pages: Readonly<Record<string, string>> = {
    payment: `/orders/${id}`,
    payment_link: `/links/${id}`,
    subscription: `/subscriptions/${id}`,
    promotion_code: `/promotion-codes/${id}`,
    event: `/events/${id}`,
    platform_transaction: "/platform",
    movement: "/ledger",
    bank_order: `/ruble-payments/${id}`,
    partner: `/partners/${id}`,
    product: `/products/${id}`,
    key: `/partners/${partner_id}?tab=keys`,
    employee: `/partners/${partner_id}?tab=people`,
    grant: `/partners/${partner_id}?tab=agents`,
    endpoint: `/partners/${partner_id}?tab=webhooks`,
    request: `/partners/${partner_id}/requests/${encodeURIComponent(id)}`,
    product_import: `/audit?target=${id}`,
    change: `/audit?target=${encodeURIComponent(id)}`,
  };
  return pages[kind] ?? null;
}

export const kindOfFound = ({ kind }: Pick<Found, "kind">): string => words.find.kinds[kind] ?? kind;

/** What an object is: its kind, its amount and what people call it. */
export function titleOfFound(found: Pick<Found, "kind" | "id" | "title" | "amount" | "currency">): string {
  const { id, title, amount, currency } = found;
  const price = amount === null || currency === null ? null : moneyText(amount, currency);
  return [kindOfFound(found), price, title ?? id].filter((part) => part !== null).join(" · ");
}

/** What is known of it besides: whose it is, its environment, and its state. */
export function factsOfFound({ partner_id, environment, state }: Pick<Found, "partner_id" | "environment" | "state">): string {
  const said: Readonly<Record<string, string>> = texts.status;
  const parts = [partner_id, environment === null ? null : texts.environment[environment], state === null ? null : (said[state] ?? state)];
  return parts.filter((part) => part !== null).join(" · ");
}
