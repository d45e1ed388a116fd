import { expect, it } from "vitest";
import { type CustomerFacts, summaryForCustomer } from "../../src/summaries/for-customer.ts";
import { plain } from "./plain.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const ON_14 = Date.parse("2026-11-14T10:00:00Z");
const paid: CustomerFacts = {
  environment: "live",
  status: "paid",
  currency: "EUR",
  charged: 5700,
  refunded: 0,
  disputed: 0,
  paidAt: ON_12,
  method: "Visa ···· 4242",
  refundedAt: null,
  failedRefunds: [],
  dispute: null,
  disputeReason: null,
  evidenceDueBy: null,
  sold: "Course A",
};
const PAID = "You paid €57.00 for Course A on 12 Nov 2026 by Visa ···· 4242.";
const PAID_IN_RUSSIAN = "Вы оплатили 57,00 € за «Course A» 12 нояб. 2026, Visa ···· 4242.";

it.each<[Partial<CustomerFacts>, string, string]>([
  [{}, PAID, PAID_IN_RUSSIAN],
  [{ sold: null, method: null, paidAt: null }, "You paid €57.00.", "Вы оплатили 57,00 €."],
  [{ environment: "test" }, `${PAID} It is of the test environment.`, `${PAID_IN_RUSSIAN} Это тестовый режим.`],
  [
    { charged: 0, sold: null },
    "Your order was completed on 12 Nov 2026: there was nothing to pay.",
    "Ваш заказ оформлен 12 нояб. 2026: платить было нечего.",
  ],
  [
    { disputed: 700, dispute: "needs_response" },
    `${PAID} You object to €7.00 of it at your bank: the seller can answer, and then your bank decides.`,
    `${PAID_IN_RUSSIAN} Вы оспариваете 7,00 € в своём банке: продавец может ответить, после чего решит банк.`,
  ],
  [
    { charged: 0 },
    "Your order for Course A was completed on 12 Nov 2026: there was nothing to pay.",
    "Ваш заказ «Course A» оформлен 12 нояб. 2026: платить было нечего.",
  ],
  [{ status: "pending" }, "Your payment is under way, or was not begun.", "Ваш платёж идёт или не начат."],
  [{ status: "failed" }, "Your last attempt to pay failed, and no money moved.", "Последняя попытка оплаты не удалась, деньги не списаны."],
  [{ status: "expired" }, "It was not paid, and cannot be paid any more.", "Не оплачено, и оплатить уже нельзя."],
  [
    { refunded: 200, refundedAt: ON_14 },
    `${PAID} €2.00 of it was refunded on 14 Nov 2026.`,
    `${PAID_IN_RUSSIAN} Из них возвращено 2,00 € 14 нояб. 2026.`,
  ],
  [{ refunded: 5700 }, `${PAID} All of it was refunded.`, `${PAID_IN_RUSSIAN} Вся сумма возвращена.`],
  [
    { failedRefunds: [{ amount: 1000, currency: "EUR", at: ON_14 }] },
    `${PAID} A refund of €10.00 failed on 14 Nov 2026: you have not got that money back. Agree with the seller on another way to get it.`,
    `${PAID_IN_RUSSIAN} Возврат 10,00 € не прошёл 14 нояб. 2026: эти деньги вы не получили. Договоритесь с продавцом, как их вернуть иначе.`,
  ],
  [
    { disputed: 5700, dispute: "needs_response", evidenceDueBy: ON_14 },
    `${PAID} You object to this payment at your bank: the seller can answer until 14 Nov 2026, and then your bank decides.`,
    `${PAID_IN_RUSSIAN} Вы оспариваете 57,00 € в своём банке: продавец может ответить до 14 нояб. 2026, после чего решит банк.`,
  ],
  [
    { disputed: 5700, dispute: "under_review" },
    `${PAID} You object to this payment at your bank, which decides.`,
    `${PAID_IN_RUSSIAN} Вы оспариваете 57,00 € в своём банке: решает банк.`,
  ],
  [{ disputed: 5700, dispute: "lost" }, `${PAID} Your bank gave you €57.00 back.`, `${PAID_IN_RUSSIAN} Ваш банк вернул вам 57,00 €.`],
  [
    { dispute: "won" },
    `${PAID} Your bank decided that the payment stands.`,
    `${PAID_IN_RUSSIAN} Ваш банк решил, что платёж остаётся в силе.`,
  ],
  [
    { dispute: "closed" },
    `${PAID} Your objection at your bank ended without a verdict.`,
    `${PAID_IN_RUSSIAN} Спор в вашем банке закончился без решения.`,
  ],
])("a customer whose order has %j is told: %s", (change, en, ru) => {
  const summary = summaryForCustomer({ ...paid, ...change }, "UTC");
  expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);
});
