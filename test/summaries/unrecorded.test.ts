import { expect, it } from "vitest";
import { summaryOfUnrecorded, type UnrecordedFacts, unrecordedForCustomer } from "../../src/summaries/of-unrecorded.ts";
import { plain } from "./plain.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const nothing: UnrecordedFacts = { environment: "live", isPaid: false, lookUp: null, movements: [] };
const moved = { amount: 5700, currency: "EUR", transactionDate: ON_12 };
const waiting = { state: "due", since: ON_12, attempts: 0, nextAttemptAt: ON_12 + 3_600_000 } as const;
const parked = { ...waiting, state: "parked" } as const;
const gone = { ...waiting, state: "gone" } as const;

it.each<[Partial<UnrecordedFacts>, unknown, unknown]>([
  [
    {},
    "Nothing of this payment is recorded here: it was not paid through a link of ours, or has not succeeded.",
    "Об этом платеже у нас нет записей: он прошёл не по нашей ссылке или не состоялся.",
  ],
  [
    { lookUp: waiting },
    "The processor reported the payment on 12 Nov 2026. We look it up there now: its order appears after that.",
    "Платёжная система сообщила о платеже 12 нояб. 2026. Мы уточняем его там: после этого появится заказ.",
  ],
  [
    { isPaid: true, lookUp: { ...waiting, attempts: 1 } },
    "The customer has paid, as the processor reported on 12 Nov 2026, and need not pay again. To look it up there failed once so far; the next attempt is due on 12 Nov 2026, 11:00 UTC, and its order appears once one succeeds.",
    "Покупатель оплатил: платёжная система сообщила об этом 12 нояб. 2026, платить ещё раз не нужно. Уточнить платёж там пока не удалось (попыток: 1); следующая – 12 нояб. 2026, 11:00 UTC, после удачной появится заказ.",
  ],
  [
    { lookUp: { ...waiting, attempts: 6 } },
    "The processor reported the payment on 12 Nov 2026. To look it up there failed 6 times so far; the next attempt is due on 12 Nov 2026, 11:00 UTC, and its order appears once one succeeds.",
    "Платёжная система сообщила о платеже 12 нояб. 2026. Уточнить платёж там пока не удалось (попыток: 6); следующая – 12 нояб. 2026, 11:00 UTC, после удачной появится заказ.",
  ],
  [
    { isPaid: true, lookUp: parked, movements: [moved] },
    "The customer has paid, as the processor reported on 12 Nov 2026, and need not pay again. To look it up there failed: support looks into it.",
    "Покупатель оплатил: платёжная система сообщила об этом 12 нояб. 2026, платить ещё раз не нужно. Уточнить платёж там не удалось: этим занимается поддержка.",
  ],
  [
    { environment: "test", lookUp: waiting },
    "The processor reported the payment on 12 Nov 2026. We look it up there now: its order appears after that. It is of the test environment.",
    "Платёжная система сообщила о платеже 12 нояб. 2026. Мы уточняем его там: после этого появится заказ. Это тестовый режим.",
  ],
  ...(
    [
      [{ lookUp: { ...waiting, attempts: 1 } }, "To look it up there failed once", "попыток: 1"],
      [{ lookUp: parked }, "support looks into it", "этим занимается поддержка"],
      [{ lookUp: gone }, "the processor does not have it", "в платёжной системе его нет"],
      [{ movements: [moved] }, "€57.00 moved", "прошло 57,00 €"],
    ] as const
  ).map(([facts, en, ru]): [Partial<UnrecordedFacts>, unknown, unknown] => [
    { environment: "test", ...facts },
    expect.stringMatching(new RegExp(`${en}.* It is of the test environment\\.$`)),
    expect.stringMatching(new RegExp(`${ru}.* Это тестовый режим\\.$`)),
  ]),
  [
    { lookUp: gone },
    "A payment was reported to us on 12 Nov 2026, and the processor does not have it.",
    "О платеже нам сообщили 12 нояб. 2026, но в платёжной системе его нет.",
  ],
  [
    { movements: [moved] },
    "€57.00 moved on 12 Nov 2026, and it is not known yet through whose link: support looks into it.",
    "12 нояб. 2026 прошло 57,00 €, но пока неизвестно, по чьей ссылке: этим занимается поддержка.",
  ],
])("a payment that is no order, with %j, reads: %s", (facts, en, ru) => {
  const summary = summaryOfUnrecorded({ ...nothing, ...facts }, "UTC");
  expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);
});

it.each<[Partial<UnrecordedFacts>, string | null, string | null]>([
  [
    { isPaid: true, lookUp: waiting },
    "Your payment arrived on 12 Nov 2026, and is being recorded. You need not pay again.",
    "Ваш платёж поступил 12 нояб. 2026 и сейчас записывается. Платить ещё раз не нужно.",
  ],
  [
    { isPaid: true, lookUp: parked },
    "Your payment arrived on 12 Nov 2026, and is being recorded. You need not pay again.",
    "Ваш платёж поступил 12 нояб. 2026 и сейчас записывается. Платить ещё раз не нужно.",
  ],
  [
    { environment: "test", isPaid: true, lookUp: waiting },
    "Your payment arrived on 12 Nov 2026, and is being recorded. You need not pay again. It is of the test environment.",
    "Ваш платёж поступил 12 нояб. 2026 и сейчас записывается. Платить ещё раз не нужно. Это тестовый режим.",
  ],
  [{ isPaid: true, lookUp: gone }, null, null],
  [{ isPaid: true }, null, null],
  [{ lookUp: waiting }, null, null],
])("a customer whose payment is no order, with %j, hears: %s", (facts, en, ru) => {
  const summary = unrecordedForCustomer({ ...nothing, ...facts }, "UTC");
  expect([summary?.en ?? null, summary === null ? null : plain(summary.ru)]).toEqual([en, ru]);
});
