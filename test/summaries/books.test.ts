import { expect, it } from "vitest";
import { type BalanceFacts, summaryOfBalance } from "../../src/summaries/of-balance.ts";
import { type MonthFacts, summaryOfMonth } from "../../src/summaries/of-month.ts";
import type { Summary } from "../../src/summaries/words.ts";
import { plain } from "./plain.ts";

const ON_30 = Date.parse("2026-11-30T10:00:00Z");
const expectBoth = (summary: Summary, en: string, ru: string) => expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);

it.each<[Partial<BalanceFacts>, string, string]>([
  [{}, "€100.00 is available, and nothing is pending.", "Доступно 100,00 €, других сумм в пути нет."],
  [{ settled: -100 }, "You owe €1.00, and nothing is pending.", "Ваш долг – 1,00 €, других сумм в пути нет."],
  [{ settled: 0 }, "€0.00 is available, and nothing is pending.", "Доступно 0,00 €, других сумм в пути нет."],
  [{ pending: 500 }, "€100.00 is available, and €5.00 is pending.", "Доступно 100,00 €, ещё 5,00 € в пути."],
  [
    { pending: 500, next: { at: ON_30, amount: 500 } },
    "€100.00 is available, and €5.00 is pending: it becomes available on 30 Nov 2026.",
    "Доступно 100,00 €, ещё 5,00 € в пути: эта сумма станет доступна 30 нояб. 2026.",
  ],
  [
    { pending: 500, next: { at: ON_30, amount: 200 } },
    "€100.00 is available, and €5.00 is pending: €2.00 becomes available on 30 Nov 2026.",
    "Доступно 100,00 €, ещё 5,00 € в пути: 2,00 € станут доступны 30 нояб. 2026.",
  ],
])("a balance with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfBalance({ currency: "EUR", settled: 10_000, pending: 0, next: null, ...change }, "UTC"), en, ru),
);

const euros = { currency: "EUR", payments: 10_000, refunds: -500, disputes: -200, change: 9_000 };

it.each<[Partial<MonthFacts>, string, string]>([
  [{}, "October 2026: no card was charged. No statement is closed.", "Октябрь 2026: оплат картами не было. Закрытых отчётов нет."],
  [
    { processor: [euros], isOver: false, notClosed: 1 },
    "October 2026, which goes on: €100.00 was paid by card, €5.00 refunded, €2.00 disputed: the processor's balance changed by €90.00. No statement is closed. One is to be closed yet.",
    "Октябрь 2026, месяц ещё идёт: оплачено картами 100,00 €, возвращено 5,00 €, оспорено 2,00 €; баланс у платёжной системы изменился на 90,00 €. Закрытых отчётов нет. Не закрыто: 1.",
  ],
  [
    { closed: 1, owed: [{ currency: "EUR", amount: 8_000 }] },
    "October 2026: no card was charged. One statement is closed; €80.00 is owed.",
    "Октябрь 2026: оплат картами не было. Закрыто: 1 отчёт; к выплате 80,00 €.",
  ],
  [
    {
      closed: 2,
      notClosed: 3,
      owed: [
        { currency: "EUR", amount: 8_000 },
        { currency: "USD", amount: 100 },
      ],
    },
    "October 2026: no card was charged. 2 statements are closed; €80.00 and $1.00 is owed. 3 are to be closed yet.",
    "Октябрь 2026: оплат картами не было. Закрыто: 2 отчёта; к выплате 80,00 € и 1,00 $. Не закрыто: 3.",
  ],
])("a month with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfMonth({ month: "2026-10", isOver: true, processor: [], owed: [], closed: 0, notClosed: 0, ...change }), en, ru),
);
