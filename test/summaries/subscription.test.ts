import { expect, it } from "vitest";
import { type SubscriptionFacts, summaryOfSubscription } from "../../src/summaries/of-subscription.ts";
import { plain } from "./plain.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const ON_28 = Date.parse("2026-12-28T10:00:00Z");
const goesOn: SubscriptionFacts = {
  environment: "live",
  sold: "Course A",
  amount: 900,
  currency: "USD",
  endsAt: null,
  hasBegun: true,
  hasEnded: false,
  endedAt: null,
  isPaused: false,
  isPastDue: false,
  isUnpaid: false,
  nextChargeAt: ON_28,
};

it.each<[Partial<SubscriptionFacts>, string, string]>([
  [
    {},
    "The subscription to Course A goes on. It is charged $9.00 next on 28 Dec 2026.",
    "Подписка «Course A» действует. Следующее списание – 28 дек. 2026, 9,00 $.",
  ],
  [
    { amount: null, currency: null },
    "The subscription to Course A goes on. It is charged next on 28 Dec 2026.",
    "Подписка «Course A» действует. Следующее списание – 28 дек. 2026.",
  ],
  [
    { currency: null },
    "The subscription to Course A goes on. It is charged next on 28 Dec 2026.",
    "Подписка «Course A» действует. Следующее списание – 28 дек. 2026.",
  ],
  [
    { amount: null },
    "The subscription to Course A goes on. It is charged next on 28 Dec 2026.",
    "Подписка «Course A» действует. Следующее списание – 28 дек. 2026.",
  ],
  [
    { environment: "test" },
    "The subscription to Course A goes on. It is charged $9.00 next on 28 Dec 2026. It is of the test environment.",
    "Подписка «Course A» действует. Следующее списание – 28 дек. 2026, 9,00 $. Это тестовый режим.",
  ],
  [
    { environment: "test", hasEnded: true, nextChargeAt: null },
    "The subscription to Course A is over, and is never charged again. It is of the test environment.",
    "Подписка «Course A» закончилась, списаний больше не будет. Это тестовый режим.",
  ],
  [
    { sold: null, amount: null },
    "The subscription goes on. It is charged next on 28 Dec 2026.",
    "Подписка действует. Следующее списание – 28 дек. 2026.",
  ],
  [
    { hasBegun: false, nextChargeAt: null },
    "The subscription to Course A has not begun: its first payment was not made yet.",
    "Подписка «Course A» ещё не началась: первый платёж не поступил.",
  ],
  [
    { isUnpaid: true, nextChargeAt: null },
    "The subscription to Course A goes on. Its last payments failed, and none is tried again.",
    "Подписка «Course A» действует. Последние списания не прошли, попыток больше не будет.",
  ],
  [
    { endsAt: ON_28, nextChargeAt: null },
    "The subscription to Course A is cancelled, and ends on 28 Dec 2026. It is not charged again.",
    "Подписка «Course A» отменена и закончится 28 дек. 2026. Списаний больше не будет.",
  ],
  [
    { endsAt: ON_28, nextChargeAt: ON_12 },
    "The subscription to Course A is cancelled, and ends on 28 Dec 2026. It is charged $9.00 next on 12 Nov 2026.",
    "Подписка «Course A» отменена и закончится 28 дек. 2026. Следующее списание – 12 нояб. 2026, 9,00 $.",
  ],
  [
    { hasEnded: true, nextChargeAt: null },
    "The subscription to Course A is over, and is never charged again.",
    "Подписка «Course A» закончилась, списаний больше не будет.",
  ],
  [
    { hasEnded: true, endedAt: ON_12, nextChargeAt: null },
    "The subscription to Course A ended on 12 Nov 2026, and is never charged again.",
    "Подписка «Course A» закончилась 12 нояб. 2026, списаний больше не будет.",
  ],
  [
    { isPaused: true, nextChargeAt: null },
    "The subscription to Course A goes on. No payments are collected for it now.",
    "Подписка «Course A» действует. Списания по ней сейчас приостановлены.",
  ],
  [
    { isPastDue: true },
    "The subscription to Course A goes on. It is charged $9.00 next on 28 Dec 2026. Its last payment failed, and is tried again.",
    "Подписка «Course A» действует. Следующее списание – 28 дек. 2026, 9,00 $. Последнее списание не прошло, попытка повторится.",
  ],
])("a subscription with %j reads: %s", (change, en, ru) => {
  const summary = summaryOfSubscription({ ...goesOn, ...change }, "UTC");
  expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);
});
