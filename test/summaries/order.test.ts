import { describe, expect, it } from "vitest";
import { type OrderFacts, summaryOfOrder } from "../../src/summaries/of-order.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const ON_14 = Date.parse("2026-11-14T10:00:00Z");
const paid: OrderFacts = {
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
  deliveries: [],
};
const PAID = "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242.";
const events = (...states: [state: string, attempts: number][]) => states.map(([state, attempts]) => ({ state, attempts }));

describe("the summary of an order says, in English, of one that", () => {
  it.each<[string, Partial<OrderFacts>, string]>([
    ["was paid", {}, PAID],
    ["was paid in an unknown way", { method: null }, "Paid €57.00 on 12 Nov 2026."],
    ["was free", { charged: 0 }, "Completed on 12 Nov 2026: there was nothing to pay."],
    ["is pending", { status: "pending" }, "Not paid yet: the payment is under way, or was not begun."],
    ["failed", { status: "failed" }, "Not paid: the last attempt failed, and no money moved."],
    ["has expired", { status: "expired" }, "Not paid, and it cannot be paid any more."],
    ["was refunded in part", { refunded: 200, refundedAt: ON_14 }, `${PAID} €2.00 was refunded on 14 Nov 2026.`],
    ["was refunded in part, on an unknown day", { refunded: 200 }, `${PAID} €2.00 was refunded.`],
    ["was refunded in whole", { refunded: 5700, refundedAt: ON_14 }, `${PAID} All of it was refunded on 14 Nov 2026.`],
    [
      "had a refund that failed",
      { failedRefunds: [{ amount: 200, currency: "EUR", at: ON_14 }] },
      `${PAID} A refund of €2.00 failed on 14 Nov 2026: the customer has not got that money back.`,
    ],
    ["is disputed", { disputed: 5700, dispute: "needs_response" }, `${PAID} The customer disputes it (€57.00): your evidence is awaited.`],
    ["waits for the bank", { disputed: 5700, dispute: "under_review" }, `${PAID} The customer disputes it (€57.00): the bank decides.`],
    ["lost its dispute", { disputed: 5700, dispute: "lost" }, `${PAID} A dispute was lost: the customer got €57.00 back.`],
    ["won its dispute", { dispute: "won" }, `${PAID} A dispute was won: the money stays with you.`],
    ["had a dispute without a verdict", { dispute: "closed" }, `${PAID} A dispute ended without a verdict.`],
    ["has its event delivered", { deliveries: events(["succeeded", 1]) }, `${PAID} Your server took its event.`],
    ["has it at the second attempt", { deliveries: events(["succeeded", 2]) }, `${PAID} Your server took its event at the second attempt.`],
    ["has it late", { deliveries: events(["succeeded", 12]) }, `${PAID} Your server took its event at the 12th attempt.`],
    [
      "has several",
      { deliveries: events(["succeeded", 1], ["succeeded", 3]) },
      `${PAID} Your server took its 2 events at the third attempt.`,
    ],
    ["waits with one", { deliveries: events(["pending", 1]) }, `${PAID} Your server has not taken its event yet; we try again.`],
    [
      "waits with some",
      { deliveries: events(["succeeded", 1], ["pending", 2]) },
      `${PAID} Your server has not taken 1 of its 2 events yet; we try again.`,
    ],
    [
      "gave one up",
      { deliveries: events(["exhausted", 9], ["pending", 1]) },
      `${PAID} Your server has not taken 2 of its 2 events: all attempts failed. Resend it from your dashboard.`,
    ],
    [
      "has a suspended webhook",
      { deliveries: events(["suspended", 9]) },
      `${PAID} Your server has not taken its event: your webhook is suspended.`,
    ],
    [
      "had no webhook",
      { deliveries: events(["no_endpoint", 0]) },
      `${PAID} No webhook was registered when it happened, so your server got no event.`,
    ],
    ["had one for some", { deliveries: events(["no_endpoint", 0], ["succeeded", 1]) }, `${PAID} Your server took its event.`],
  ])("%s", (_what, change, wanted) => expect(summaryOfOrder({ ...paid, ...change }, "UTC").en).toBe(wanted));
});

describe("the summary of an order says, in Russian, of one that", () => {
  const BY_CARD = "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242.";
  it.each<[string, Partial<OrderFacts>, string]>([
    ["was paid", {}, BY_CARD],
    ["was free", { charged: 0 }, "Оформлено 12 нояб. 2026: платить было нечего."],
    ["is pending", { status: "pending" }, "Ещё не оплачено: платёж идёт или не начат."],
    ["failed", { status: "failed" }, "Не оплачено: последняя попытка не удалась, деньги не списаны."],
    ["has expired", { status: "expired" }, "Не оплачено, и оплатить уже нельзя."],
    ["was refunded in part", { refunded: 200, refundedAt: ON_14 }, `${BY_CARD} Возвращено 2,00 € 14 нояб. 2026.`],
    ["was refunded in whole", { refunded: 5700 }, `${BY_CARD} Вся сумма возвращена.`],
    [
      "had a refund that failed",
      { failedRefunds: [{ amount: 200, currency: "EUR", at: ON_14 }] },
      `${BY_CARD} Возврат 2,00 € не прошёл 14 нояб. 2026: эти деньги покупатель не получил.`,
    ],
    [
      "is disputed",
      { disputed: 5700, dispute: "needs_response" },
      `${BY_CARD} Покупатель оспаривает платёж (57,00 €): ждём ваших доказательств.`,
    ],
    ["lost its dispute", { disputed: 5700, dispute: "lost" }, `${BY_CARD} Спор проигран: покупателю возвращено 57,00 €.`],
    ["has its event delivered", { deliveries: events(["succeeded", 1]) }, `${BY_CARD} Ваш сервер принял событие.`],
    ["has two late", { deliveries: events(["succeeded", 1], ["succeeded", 2]) }, `${BY_CARD} Ваш сервер принял 2 события с 2-й попытки.`],
    [
      "waits with five of six",
      { deliveries: events(["succeeded", 1], ["pending", 1], ["pending", 1], ["pending", 1], ["pending", 1], ["pending", 1]) },
      `${BY_CARD} Ваш сервер пока не принял 5 событий из 6; мы пробуем снова.`,
    ],
    [
      "gave it up",
      { deliveries: events(["exhausted", 9]) },
      `${BY_CARD} Ваш сервер не принял событие: все попытки не удались. Отправьте повторно из кабинета.`,
    ],
    [
      "had no webhook",
      { deliveries: events(["no_endpoint", 0]) },
      `${BY_CARD} Вебхук тогда не был подключён, поэтому события ваш сервер не получил.`,
    ],
  ])("%s", (_what, change, wanted) =>
    expect(summaryOfOrder({ ...paid, ...change }, "UTC").ru.replaceAll(/[\u00a0\u202f]/g, " ")).toBe(wanted),
  );
});

it("the days of a summary are those of the partner's time zone", () => {
  const late = { ...paid, paidAt: Date.parse("2026-11-12T22:30:00Z") };
  expect([summaryOfOrder(late, "UTC").en, summaryOfOrder(late, "Europe/Moscow").en]).toEqual([PAID, PAID.replace("12 Nov", "13 Nov")]);
});
