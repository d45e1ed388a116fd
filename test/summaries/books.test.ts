import { expect, it } from "vitest";
import { type BalanceFacts, summaryOfBalance } from "../../src/summaries/of-balance.ts";
import { type MonthFacts, summaryOfMonth } from "../../src/summaries/of-month.ts";
import type { Summary } from "../../src/summaries/words.ts";
import { plain } from "./plain.ts";

const ON_30 = Date.parse("2026-11-30T10:00:00Z");
const expectBoth = (summary: Summary, en: string, ru: string) => expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);

it.each<[Partial<BalanceFacts>, string, string]>([
  [{}, "Your live balance is €100.00, all of it available.", "Ваш баланс (live) – 100,00 €, он доступен весь."],
  [{ settled: 0 }, "Your live balance is €0.00, all of it available.", "Ваш баланс (live) – 0,00 €, он доступен весь."],
  [{ settled: -100 }, "Your live balance is -€1.00: you owe that.", "Ваш баланс (live) – -1,00 €: это ваш долг."],
  [
    { environment: "test", settled: 0, pending: 500 },
    "Your test balance is €5.00. Available is €0.00, pending €5.00.",
    "Ваш баланс (test) – 5,00 €. Доступно 0,00 €, в пути 5,00 €.",
  ],
  [
    { pending: 500, next: { at: ON_30, amount: 500 } },
    "Your live balance is €105.00. Available is €100.00, pending €5.00: that becomes available on 30 Nov 2026.",
    "Ваш баланс (live) – 105,00 €. Доступно 100,00 €, в пути 5,00 €: эта сумма станет доступна 30 нояб. 2026.",
  ],
  [
    { pending: 500, next: { at: ON_30, amount: 200 } },
    "Your live balance is €105.00. Available is €100.00, pending €5.00: €2.00 becomes available on 30 Nov 2026.",
    "Ваш баланс (live) – 105,00 €. Доступно 100,00 €, в пути 5,00 €: 2,00 € станут доступны 30 нояб. 2026.",
  ],
])("a balance with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfBalance({ environment: "live", currency: "EUR", settled: 10_000, pending: 0, next: null, ...change }, "UTC"), en, ru),
);

const NOTHING = { payments: 0, refunds: 0, disputes: 0, fees: 0, withoutPartner: 0, platformFees: 0, paidOut: 0, otherPlatform: 0 };
const inEuros = (parts: Partial<typeof NOTHING>) => {
  const moved = { ...NOTHING, ...parts };
  return { currency: "EUR", ...moved, change: Object.values(moved).reduce((sum, one) => sum + one, 0) };
};

it.each<[Partial<MonthFacts>, string, string]>([
  [
    {},
    "October 2026, live. The processor moved nothing. No statement is closed.",
    "Октябрь 2026, live. У платёжной системы движений не было. Закрытых отчётов нет.",
  ],
  [
    {
      isOver: false,
      processor: [
        inEuros({
          payments: 10_000,
          refunds: -500,
          disputes: -200,
          fees: -100,
          withoutPartner: 30,
          platformFees: -7,
          paidOut: -400,
          otherPlatform: -3,
        }),
      ],
    },
    "October 2026, live, up to now. The processor's balance in EUR changed by €88.20: payments by card €100.00, refunds -€5.00, disputes -€2.00, the processor's fees for these -€1.00, payments without a partner yet €0.30, what the processor billed us -€0.07, paid out to our account -€4.00, other between the processor and us -€0.03. No statement is closed: that is done after the end of the month.",
    "Октябрь 2026, live, на сегодня. Баланс у платёжной системы в EUR изменился на 88,20 €: оплаты картами 100,00 €, возвраты -5,00 €, споры -2,00 €, комиссии за них -1,00 €, платежи, у которых ещё нет партнёра 0,30 €, счета платёжной системы нам -0,07 €, выплачено на наш счёт -4,00 €, прочее между платёжной системой и нами -0,03 €. Закрытых отчётов нет: их закрывают после конца месяца.",
  ],
  [
    { environment: "test", processor: [inEuros({})] },
    "October 2026, test. The processor's balance in EUR changed by €0.00: in all nothing.",
    "Октябрь 2026, test. Баланс у платёжной системы в EUR изменился на 0,00 €: в сумме ничего.",
  ],
  [
    { closed: 1, owed: [{ currency: "EUR", amount: 8_000 }], notClosed: ["acme"] },
    "October 2026, live. The processor moved nothing. One statement is closed; owed to partners by them: €80.00. To be closed yet: acme.",
    "Октябрь 2026, live. У платёжной системы движений не было. Закрыто: 1 отчёт; по ним партнёрам причитается 80,00 €. Ещё не закрыто: acme.",
  ],
  [
    { closed: 5, owed: [{ currency: "EUR", amount: 8_000 }], notClosed: ["a", "b", "c", "d", "e"] },
    "October 2026, live. The processor moved nothing. 5 statements are closed; owed to partners by them: €80.00. To be closed yet: a, b, c, d, e.",
    "Октябрь 2026, live. У платёжной системы движений не было. Закрыто: 5 отчётов; по ним партнёрам причитается 80,00 €. Ещё не закрыто: a, b, c, d, e.",
  ],
  [
    {
      closed: 2,
      notClosed: ["a", "b", "c", "d", "e", "f"],
      owed: [
        { currency: "EUR", amount: 8_000 },
        { currency: "USD", amount: 100 },
      ],
    },
    "October 2026, live. The processor moved nothing. 2 statements are closed; owed to partners by them: €80.00 and $1.00. To be closed yet: a, b, c, d, e, ….",
    "Октябрь 2026, live. У платёжной системы движений не было. Закрыто: 2 отчёта; по ним партнёрам причитается 80,00 € и 1,00 $. Ещё не закрыто: a, b, c, d, e, ….",
  ],
])("a month with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(
    summaryOfMonth({ month: "2026-10", environment: "live", isOver: true, processor: [], owed: [], closed: 0, notClosed: [], ...change }),
    en,
    ru,
  ),
);
