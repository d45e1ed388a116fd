import type { OrderFacts } from "./of-order.ts";
import { inBoth, type Summary, type Writing } from "./words.ts";

/** What the answer to a customer says of an order: nothing of the partner's server. */
export type CustomerFacts = Omit<OrderFacts, "deliveries" | "fee" | "isHeldBySupport" | "settlementCurrency" | "underWay">;

/** What became of an order, as support answers the customer who asks. */
export function summaryForCustomer(facts: CustomerFacts, timeZone: string): Summary {
  return inBoth(timeZone, facts.environment, {
    en: (writing) => [...inEnglish(facts, writing)],
    ru: (writing) => [...inRussian(facts, writing)],
  });
}

function inEnglish(facts: CustomerFacts, { money, day }: Writing): string[] {
  const { status, currency, charged, refunded, disputed, paidAt, method, refundedAt, failedRefunds, dispute, evidenceDueBy, sold } = facts;
  if (status === "pending") return ["Your payment is under way, or was not begun."];
  if (status === "failed") return ["Your last attempt to pay failed, and no money moved."];
  if (status === "expired") return ["It was not paid, and cannot be paid any more."];
  const on = paidAt === null ? "" : ` on ${day(paidAt)}`;
  const what = sold === null ? "" : ` for ${sold}`;
  const until = evidenceDueBy === null ? "" : ` until ${day(evidenceDueBy)}`;
  const refundedOn = refundedAt === null ? "" : ` on ${day(refundedAt)}`;
  const part = disputed === charged ? "this payment" : `${money(disputed, currency)} of it`;
  const disputes: Readonly<Record<NonNullable<CustomerFacts["dispute"]>, string>> = {
    needs_response: `You object to ${part} at your bank: the seller can answer${until}, and then your bank decides.`,
    under_review: `You object to ${part} at your bank, which decides.`,
    lost: `Your bank gave you ${money(disputed, currency)} back.`,
    won: "Your bank decided that the payment stands.",
    closed: "Your objection at your bank ended without a verdict.",
  };
  return [
    charged === 0
      ? `Your order${what} was completed${on}: there was nothing to pay.`
      : `You paid ${money(charged, currency)}${what}${on}${method === null ? "" : ` by ${method}`}.`,
    ...(refunded === 0
      ? []
      : [refunded === charged ? `All of it was refunded${refundedOn}.` : `${money(refunded, currency)} of it was refunded${refundedOn}.`]),
    ...failedRefunds.map(
      ({ amount, currency: of, at }) =>
        `A refund of ${money(amount, of)} failed on ${day(at)}: you have not got that money back. Agree with the seller on another way to get it.`,
    ),
    ...(dispute === null ? [] : [disputes[dispute]]),
  ];
}

function inRussian(facts: CustomerFacts, { money, day }: Writing): string[] {
  const { status, currency, charged, refunded, disputed, paidAt, method, refundedAt, failedRefunds, dispute, evidenceDueBy, sold } = facts;
  if (status === "pending") return ["Ваш платёж идёт или не начат."];
  if (status === "failed") return ["Последняя попытка оплаты не удалась, деньги не списаны."];
  if (status === "expired") return ["Не оплачено, и оплатить уже нельзя."];
  const on = paidAt === null ? "" : ` ${day(paidAt)}`;
  const what = sold === null ? "" : ` за «${sold}»`;
  const until = evidenceDueBy === null ? "" : ` до ${day(evidenceDueBy)}`;
  const refundedOn = refundedAt === null ? "" : ` ${day(refundedAt)}`;
  const disputes: Readonly<Record<NonNullable<CustomerFacts["dispute"]>, string>> = {
    needs_response: `Вы оспариваете ${money(disputed, currency)} в своём банке: продавец может ответить${until}, после чего решит банк.`,
    under_review: `Вы оспариваете ${money(disputed, currency)} в своём банке: решает банк.`,
    lost: `Ваш банк вернул вам ${money(disputed, currency)}.`,
    won: "Ваш банк решил, что платёж остаётся в силе.",
    closed: "Спор в вашем банке закончился без решения.",
  };
  return [
    charged === 0
      ? `Ваш заказ${sold === null ? "" : ` «${sold}»`} оформлен${on}: платить было нечего.`
      : `Вы оплатили ${money(charged, currency)}${what}${on}${method === null ? "" : `, ${method}`}.`,
    ...(refunded === 0
      ? []
      : [refunded === charged ? `Вся сумма возвращена${refundedOn}.` : `Из них возвращено ${money(refunded, currency)}${refundedOn}.`]),
    ...failedRefunds.map(
      ({ amount, currency: of, at }) =>
        `Возврат ${money(amount, of)} не прошёл ${day(at)}: эти деньги вы не получили. Договоритесь с продавцом, как их вернуть иначе.`,
    ),
    ...(dispute === null ? [] : [disputes[dispute]]),
  ];
}
