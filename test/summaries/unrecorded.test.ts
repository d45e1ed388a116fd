import { expect, it } from "vitest";
import { summaryOfUnrecorded, type UnrecordedFacts } from "../../src/summaries/of-unrecorded.ts";
import { plain } from "./plain.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const nothing: UnrecordedFacts = { lookUp: null, movements: [] };
const moved = { amount: 5700, currency: "EUR", transactionDate: ON_12 };

it.each<[Partial<UnrecordedFacts>, string, string]>([
  [
    {},
    "Nothing of this payment is recorded here: it was not paid through a link of ours, or has not succeeded.",
    "Об этом платеже у нас нет записей: он прошёл не по нашей ссылке или не состоялся.",
  ],
  [
    { lookUp: { state: "due", since: ON_12 } },
    "The payment was reported to us on 12 Nov 2026, and is being looked up at the processor: its order appears by itself.",
    "О платеже нам сообщили 12 нояб. 2026, мы уточняем его у платёжной системы: заказ появится сам.",
  ],
  [
    { lookUp: { state: "parked", since: ON_12 }, movements: [moved] },
    "The payment was reported to us on 12 Nov 2026, and could not be looked up at the processor: support looks into it.",
    "О платеже нам сообщили 12 нояб. 2026, уточнить его у платёжной системы не удалось: этим занимается поддержка.",
  ],
  [
    { lookUp: { state: "gone", since: ON_12 } },
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
