import type { AnswerOf } from "../../api/paths.ts";
import { moneyText } from "../../shared/money-text.ts";
import { texts } from "../../texts/index.ts";

const { verdict: words } = texts;

type Order = Pick<AnswerOf<"/partner/orders/{order}">, "status" | "charged" | "refunded" | "disputed" | "currency" | "payment_method"> & {
  readonly deliveries: readonly { readonly state: string }[];
};

/** What became of an order, in one or two sentences. */
export function verdictOf({ status, charged, refunded, disputed, currency, payment_method: method, deliveries }: Order): string {
  if (status === "pending" || status === "failed" || status === "expired") return words.unpaid[status];
  const money = (amount: number) => moneyText(amount, currency);
  const parts = [
    words.paid(money(charged), method),
    ...(refunded === 0 ? [] : [words.refunded(money(refunded))]),
    ...(disputed === 0 ? [] : [words.disputed(money(disputed))]),
  ];
  return [`${parts.join(", ")}.`, ...eventsOf(deliveries)].join(" ");
}

function eventsOf(deliveries: readonly { readonly state: string }[]): readonly string[] {
  const sent = deliveries.filter(({ state }) => state !== "no_endpoint");
  if (sent.length === 0) return [];
  return [words.events(sent.filter(({ state }) => state === "succeeded").length, sent.length)];
}
