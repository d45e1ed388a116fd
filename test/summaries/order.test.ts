import { expect, it } from "vitest";
import { type OrderFacts, summaryOfOrder } from "../../src/summaries/of-order.ts";
import { plain } from "./plain.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const ON_14 = Date.parse("2026-11-14T10:00:00Z");
const paid: OrderFacts = {
  environment: "live",
  sold: null,
  status: "paid",
  currency: "EUR",
  charged: 5700,
  refunded: 0,
  disputed: 0,
  paidAt: ON_12,
  method: "Visa ···· 4242",
  underWay: null,
  fee: 85,
  settlementCurrency: "USD",
  refundedAt: null,
  failedRefunds: [],
  dispute: null,
  disputeReason: null,
  evidenceDueBy: null,
  deliveries: [],
  isHeldBySupport: false,
};

it.each<[Partial<OrderFacts>, string, string]>([
  [{}, "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242.", "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242."],
  [{ method: null }, "Paid €57.00 on 12 Nov 2026.", "Оплачено 57,00 € 12 нояб. 2026."],
  [{ paidAt: null }, "Paid €57.00 by Visa ···· 4242.", "Оплачено 57,00 €, Visa ···· 4242."],
  [{ charged: 0 }, "Completed on 12 Nov 2026: there was nothing to pay.", "Оформлено 12 нояб. 2026: платить было нечего."],
  [{ charged: 0, paidAt: null }, "Completed: there was nothing to pay.", "Оформлено: платить было нечего."],
  [
    { sold: "Course A" },
    "Paid €57.00 for Course A on 12 Nov 2026 by Visa ···· 4242.",
    "Оплачено 57,00 € за «Course A» 12 нояб. 2026, Visa ···· 4242.",
  ],
  [
    { sold: "Course A", charged: 0 },
    "Completed on 12 Nov 2026: there was nothing to pay for Course A.",
    "Оформлено 12 нояб. 2026 («Course A»): платить было нечего.",
  ],
  [{ status: "pending" }, "Not paid yet: the payment is under way, or was not begun.", "Ещё не оплачено: платёж идёт или не начат."],
  [
    { status: "pending", underWay: { amount: 3800, currency: "EUR" } },
    "Not paid yet: a payment of €38.00 is under way, and may still fail.",
    "Ещё не оплачено: платёж на 38,00 € идёт и ещё может не пройти.",
  ],
  [
    { status: "failed" },
    "Not paid: the payment failed after it was booked. The money went back, and its fee of $0.85 remains.",
    "Не оплачено: платёж отменён после зачисления. Деньги ушли обратно, комиссия 0,85 $ осталась.",
  ],
  ...[{ fee: null }, { fee: 0 }, { settlementCurrency: null }].map((without): [Partial<OrderFacts>, string, string] => [
    { status: "failed", ...without },
    "Not paid: the last attempt failed, and no money moved.",
    "Не оплачено: последняя попытка не удалась, деньги не списаны.",
  ]),
  [{ status: "expired" }, "Not paid, and it cannot be paid any more.", "Не оплачено, и оплатить уже нельзя."],
  [
    { refunded: 200, refundedAt: ON_14 },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. €2.00 was refunded on 14 Nov 2026.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Возвращено 2,00 € 14 нояб. 2026.",
  ],
  [
    { refunded: 200 },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. €2.00 was refunded.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Возвращено 2,00 €.",
  ],
  [
    { refunded: 5700, refundedAt: ON_14 },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. All of it was refunded on 14 Nov 2026.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Вся сумма возвращена 14 нояб. 2026.",
  ],
  [
    { refunded: 5700 },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. All of it was refunded.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Вся сумма возвращена.",
  ],
  [
    { failedRefunds: [{ amount: 200, currency: "EUR", at: ON_14 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. A refund of €2.00 failed on 14 Nov 2026: the customer has not got that money back, and your balance has it again. Agree with the customer on another way.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Возврат 2,00 € не прошёл 14 нояб. 2026: эти деньги покупатель не получил, они снова на вашем балансе. Договоритесь с ним о другом способе.",
  ],
  [
    { disputed: 5700, dispute: "needs_response", evidenceDueBy: ON_14 },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. The customer disputes the payment (€57.00): send your evidence to support before 14 Nov 2026, 10:00 UTC, or the money is lost.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Покупатель оспаривает платёж (57,00 €): пришлите доказательства в поддержку до 14 нояб. 2026, 10:00 UTC, иначе деньги будут потеряны.",
  ],
  [
    { disputed: 5700, dispute: "needs_response" },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. The customer disputes the payment (€57.00): send your evidence to support, or the money is lost.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Покупатель оспаривает платёж (57,00 €): пришлите доказательства в поддержку, иначе деньги будут потеряны.",
  ],
  [
    { disputed: 5700, dispute: "under_review" },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. The customer disputes the payment (€57.00): the bank decides.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Покупатель оспаривает платёж (57,00 €): решает банк.",
  ],
  [
    { disputed: 5700, dispute: "lost" },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. A dispute was lost, and the customer got the money back (€57.00).",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Спор проигран, деньги возвращены покупателю (57,00 €).",
  ],
  [
    { dispute: "won" },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. A dispute was won: the money stays with you.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Спор выигран: деньги остались у вас.",
  ],
  [
    { dispute: "closed" },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. A dispute ended without a verdict.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Спор закончился без решения.",
  ],
  [
    { deliveries: [{ state: "succeeded", attempts: 1 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its event.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял событие.",
  ],
  [
    { deliveries: [{ state: "succeeded", attempts: 2 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its event at the 2nd attempt.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял событие с 2-й попытки.",
  ],
  [
    { deliveries: [{ state: "succeeded", attempts: 12 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its event at the 12th attempt.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял событие с 12-й попытки.",
  ],
  [
    { deliveries: [{ state: "succeeded", attempts: 21 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its event at the 21st attempt.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял событие с 21-й попытки.",
  ],
  [
    {
      deliveries: [
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 3 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its 2 events at the 3rd attempt.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял 2 события с 3-й попытки.",
  ],
  [
    { deliveries: [{ state: "pending", attempts: 1 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server has not taken its event yet; we try again.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер пока не принял событие; мы пробуем снова.",
  ],
  [
    {
      deliveries: [
        { state: "succeeded", attempts: 1 },
        { state: "pending", attempts: 2 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server has not taken 1 of its 2 events yet; we try again.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер пока не принял 1 событие из 2; мы пробуем снова.",
  ],
  [
    {
      deliveries: [
        { state: "succeeded", attempts: 1 },
        { state: "pending", attempts: 1 },
        { state: "pending", attempts: 1 },
        { state: "pending", attempts: 1 },
        { state: "pending", attempts: 1 },
        { state: "pending", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server has not taken 5 of its 6 events yet; we try again.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер пока не принял 5 событий из 6; мы пробуем снова.",
  ],
  [
    { deliveries: [{ state: "exhausted", attempts: 9 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server has not taken its event: all attempts failed. Resend from your dashboard.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер не принял событие: все попытки не удались. Отправьте повторно из кабинета.",
  ],
  [
    {
      deliveries: [
        { state: "exhausted", attempts: 9 },
        { state: "pending", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server has not taken 1 of its 2 events: all attempts failed. Resend from your dashboard.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер не принял 1 событие из 2: все попытки не удались. Отправьте повторно из кабинета.",
  ],
  [
    { environment: "test", deliveries: [{ state: "suspended", attempts: 0 }], isHeldBySupport: true },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. We keep its event for your server: support suspended your webhook. What is kept is sent once it is resumed. It is of the test environment.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Мы храним для вашего сервера событие: поддержка приостановила вебхук. Сохранённое уйдёт после возобновления. Это тестовый режим.",
  ],
  [
    { disputed: 5700, dispute: "under_review", disputeReason: "product_not_received" },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. The customer disputes the payment (€57.00, product not received): the bank decides.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Покупатель оспаривает платёж (57,00 €): решает банк.",
  ],
  [
    { deliveries: [{ state: "suspended", attempts: 9 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. We keep its event for your server: your webhook is suspended. What is kept is sent once it is resumed.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Мы храним для вашего сервера событие: вебхук приостановлен. Сохранённое уйдёт после возобновления.",
  ],
  [
    {
      deliveries: [
        { state: "suspended", attempts: 9 },
        { state: "pending", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. We keep 1 of its 2 events for your server: your webhook is suspended. What is kept is sent once it is resumed.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Мы храним для вашего сервера 1 событие из 2: вебхук приостановлен. Сохранённое уйдёт после возобновления.",
  ],
  [
    { deliveries: [{ state: "no_endpoint", attempts: 0 }] },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. No webhook was registered when it happened, so your server got no event.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Вебхук тогда не был подключён, поэтому события ваш сервер не получил.",
  ],
  [
    {
      deliveries: [
        { state: "no_endpoint", attempts: 0 },
        { state: "succeeded", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its event.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял событие.",
  ],
  [
    {
      deliveries: [
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its 5 events.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял 5 событий.",
  ],
  [
    {
      deliveries: [
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
        { state: "succeeded", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server took its 21 events.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер принял 21 событие.",
  ],
  [
    {
      deliveries: [
        { state: "succeeded", attempts: 1 },
        { state: "pending", attempts: 1 },
        { state: "pending", attempts: 1 },
      ],
    },
    "Paid €57.00 on 12 Nov 2026 by Visa ···· 4242. Your server has not taken 2 of its 3 events yet; we try again.",
    "Оплачено 57,00 € 12 нояб. 2026, Visa ···· 4242. Ваш сервер пока не принял 2 события из 3; мы пробуем снова.",
  ],
])("an order with %j is summed up in both languages: %s", (change, en, ru) => {
  const summary = summaryOfOrder({ ...paid, ...change }, "UTC");
  expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);
});

it("the days of a summary are those of the partner's time zone", () => {
  const late = { ...paid, paidAt: Date.parse("2026-11-12T22:30:00Z") };
  expect(["UTC", "Europe/Moscow"].map((zone) => summaryOfOrder(late, zone).en.slice(0, 26))).toEqual([
    "Paid €57.00 on 12 Nov 2026",
    "Paid €57.00 on 13 Nov 2026",
  ]);
});
