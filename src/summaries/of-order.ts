import type { Environment } from "../core/environment.ts";
import type { disputeStates, orderStates } from "../core/object-states.ts";
import { ordinal } from "../core/ordinal.ts";
import { counted, inBoth, type Summary, type Writing } from "./words.ts";

/** What a summary of an order says. Amounts in minor units of `currency`, not negative; times in Unix milliseconds. */
export interface OrderFacts {
  readonly environment: Environment;
  /** What was bought, in words; null if that is not known. */
  readonly sold: string | null;
  readonly status: (typeof orderStates)[number];
  readonly currency: string;
  readonly charged: number;
  readonly refunded: number;
  readonly disputed: number;
  readonly paidAt: number | null;
  readonly method: string | null;
  /** The latest payment that may still fail; null without one. */
  readonly underWay: { readonly amount: number; readonly currency: string } | null;
  /** What is left of fees in the settlement currency, signed as in movements; null if they are not known. */
  readonly fee: number | null;
  readonly settlementCurrency: string | null;
  /** When the last refund was booked; null without one. */
  readonly refundedAt: number | null;
  readonly failedRefunds: readonly { readonly amount: number; readonly currency: string; readonly at: number }[];
  /** The state of the newest dispute; null without one. */
  readonly dispute: (typeof disputeStates)[number] | null;
  /** Why the customer disputes, in the processor's word; null without a dispute. */
  readonly disputeReason: string | null;
  /** Until when evidence can be given; null without a dispute, or where none can. */
  readonly evidenceDueBy: number | null;
  readonly deliveries: readonly { readonly state: string; readonly attempts: number }[];
  /** Whether support suspended the webhook of its events. */
  readonly isHeldBySupport: boolean;
}

/** What became of an order: its payment, what was given back or taken, and whether its events arrived. */
export function summaryOfOrder(facts: OrderFacts, timeZone: string): Summary {
  return inBoth(timeZone, facts.environment, {
    en: (writing) => [...moneyInEnglish(facts, writing), ...eventsInEnglish(facts)],
    ru: (writing) => [...moneyInRussian(facts, writing), ...eventsInRussian(facts)],
  });
}

function moneyInEnglish(facts: OrderFacts, { money, day, moment }: Writing): string[] {
  const { status, currency, charged, refunded, disputed, paidAt, method, refundedAt, failedRefunds, dispute, sold } = facts;
  if (status === "pending")
    return facts.underWay === null
      ? ["Not paid yet: the payment is under way, or was not begun."]
      : [`Not paid yet: a payment of ${money(facts.underWay.amount, facts.underWay.currency)} is under way, and may still fail.`];
  if (status === "failed") return [failedInEnglish(facts, money)];
  if (status === "expired") return ["Not paid, and it cannot be paid any more."];
  const on = paidAt === null ? "" : ` on ${day(paidAt)}`;
  const of = (amount: number) => money(amount, currency);
  const refundedOn = refundedAt === null ? "" : ` on ${day(refundedAt)}`;
  const what = sold === null ? "" : ` for ${sold}`;
  return [
    charged === 0
      ? `Completed${on}: there was nothing to pay${what}.`
      : `Paid ${of(charged)}${what}${on}${method === null ? "" : ` by ${method}`}.`,
    ...(refunded === 0
      ? []
      : [refunded === charged ? `All of it was refunded${refundedOn}.` : `${of(refunded)} was refunded${refundedOn}.`]),
    ...failedRefunds.map(
      (failed) =>
        `A refund of ${money(failed.amount, failed.currency)} failed on ${day(failed.at)}: the customer has not got that money back, and your balance has it again. Agree with the customer on another way.`,
    ),
    ...(dispute === null
      ? []
      : [
          DISPUTES_IN_ENGLISH[dispute](
            `${of(disputed)}${reasonOfDispute(facts)}`,
            facts.evidenceDueBy === null ? "" : ` before ${moment(facts.evidenceDueBy)}`,
          ),
        ]),
  ];
}

/** A payment by a slow method may fail after it was booked: its money went back, its fees need not. */
const failedInEnglish = ({ fee, settlementCurrency: of }: OrderFacts, money: Writing["money"]): string =>
  fee === null || fee === 0 || of === null
    ? "Not paid: the last attempt failed, and no money moved."
    : `Not paid: the payment failed after it was booked. The money went back, and its fee of ${money(fee, of)} remains.`;

const failedInRussian = ({ fee, settlementCurrency: of }: OrderFacts, money: Writing["money"]): string =>
  fee === null || fee === 0 || of === null
    ? "Не оплачено: последняя попытка не удалась, деньги не списаны."
    : `Не оплачено: платёж отменён после зачисления. Деньги ушли обратно, комиссия ${money(fee, of)} осталась.`;

const DISPUTES_IN_ENGLISH: Readonly<Record<NonNullable<OrderFacts["dispute"]>, (amount: string, until: string) => string>> = {
  needs_response: (amount, until) =>
    `The customer disputes the payment (${amount}): send your evidence to support${until}, or the money is lost.`,
  under_review: (amount) => `The customer disputes the payment (${amount}): the bank decides.`,
  lost: (amount) => `A dispute was lost, and the customer got the money back (${amount}).`,
  won: () => "A dispute was won: the money stays with you.",
  closed: () => "A dispute ended without a verdict.",
};

/** The processor's word, which is English: in Russian, pages say the reason beside the sentence. */
const reasonOfDispute = ({ disputeReason }: OrderFacts): string =>
  disputeReason === null ? "" : `, ${disputeReason.replaceAll("_", " ")}`;

function moneyInRussian(facts: OrderFacts, { money, day, moment }: Writing): string[] {
  const { status, currency, charged, refunded, disputed, paidAt, method, refundedAt, failedRefunds, dispute, sold } = facts;
  if (status === "pending")
    return facts.underWay === null
      ? ["Ещё не оплачено: платёж идёт или не начат."]
      : [`Ещё не оплачено: платёж на ${money(facts.underWay.amount, facts.underWay.currency)} идёт и ещё может не пройти.`];
  if (status === "failed") return [failedInRussian(facts, money)];
  if (status === "expired") return ["Не оплачено, и оплатить уже нельзя."];
  const on = paidAt === null ? "" : ` ${day(paidAt)}`;
  const of = (amount: number) => money(amount, currency);
  const refundedOn = refundedAt === null ? "" : ` ${day(refundedAt)}`;
  return [
    charged === 0
      ? `Оформлено${on}${sold === null ? "" : ` («${sold}»)`}: платить было нечего.`
      : `Оплачено ${of(charged)}${sold === null ? "" : ` за «${sold}»`}${on}${method === null ? "" : `, ${method}`}.`,
    ...(refunded === 0 ? [] : [refunded === charged ? `Вся сумма возвращена${refundedOn}.` : `Возвращено ${of(refunded)}${refundedOn}.`]),
    ...failedRefunds.map(
      (failed) =>
        `Возврат ${money(failed.amount, failed.currency)} не прошёл ${day(failed.at)}: эти деньги покупатель не получил, они снова на вашем балансе. Договоритесь с ним о другом способе.`,
    ),
    ...(dispute === null
      ? []
      : [DISPUTES_IN_RUSSIAN[dispute](of(disputed), facts.evidenceDueBy === null ? "" : ` до ${moment(facts.evidenceDueBy)}`)]),
  ];
}

const DISPUTES_IN_RUSSIAN: Readonly<Record<NonNullable<OrderFacts["dispute"]>, (amount: string, until: string) => string>> = {
  needs_response: (amount, until) =>
    `Покупатель оспаривает платёж (${amount}): пришлите доказательства в поддержку${until}, иначе деньги будут потеряны.`,
  under_review: (amount) => `Покупатель оспаривает платёж (${amount}): решает банк.`,
  lost: (amount) => `Спор проигран, деньги возвращены покупателю (${amount}).`,
  won: () => "Спор выигран: деньги остались у вас.",
  closed: () => "Спор закончился без решения.",
};

/** The events of an order by what became of them. Those without a webhook are counted only if there are no others. */
function countEvents({ deliveries }: OrderFacts) {
  // The most attempts are told only where all were taken.
  const sent = deliveries.filter(({ state }) => state !== "no_endpoint");
  const inState = (...states: readonly string[]) => sent.filter(({ state }) => states.includes(state)).length;
  return {
    all: sent.length,
    withoutWebhook: deliveries.length > 0 && sent.length === 0,
    taken: inState("succeeded"),
    givenUp: inState("exhausted"),
    suspended: inState("suspended"),
    attempts: Math.max(1, ...sent.map(({ attempts }) => attempts)),
  };
}

function eventsInEnglish(facts: OrderFacts): string[] {
  const { all, withoutWebhook, taken, givenUp, suspended, attempts } = countEvents(facts);
  if (withoutWebhook) return ["No webhook was registered when it happened, so your server got no event."];
  if (all === 0) return [];
  const events = all === 1 ? "its event" : `its ${all} events`;
  if (taken === all) return [`Your server took ${events}${attempts === 1 ? "" : ` at the ${ordinal(attempts)} attempt`}.`];
  const those = (count: number) => (all === 1 ? "its event" : `${count} of its ${all} events`);
  if (givenUp > 0) return [`Your server has not taken ${those(givenUp)}: all attempts failed. Resend from your dashboard.`];
  if (suspended > 0)
    return [
      `We keep ${those(suspended)} for your server: ${facts.isHeldBySupport ? "support suspended your webhook" : "your webhook is suspended"}. What is kept is sent once it is resumed.`,
    ];
  return [`Your server has not taken ${those(all - taken)} yet; we try again.`];
}

function eventsInRussian(facts: OrderFacts): string[] {
  const { all, withoutWebhook, taken, givenUp, suspended, attempts } = countEvents(facts);
  if (withoutWebhook) return ["Вебхук тогда не был подключён, поэтому события ваш сервер не получил."];
  if (all === 0) return [];
  const events = all === 1 ? "событие" : counted(all, "событие", "события", "событий");
  if (taken === all) return [`Ваш сервер принял ${events}${attempts === 1 ? "" : ` с ${attempts}-й попытки`}.`];
  const those = (count: number) => (all === 1 ? "событие" : `${counted(count, "событие", "события", "событий")} из ${all}`);
  if (givenUp > 0) return [`Ваш сервер не принял ${those(givenUp)}: все попытки не удались. Отправьте повторно из кабинета.`];
  if (suspended > 0)
    return [
      `Мы храним для вашего сервера ${those(suspended)}: ${facts.isHeldBySupport ? "поддержка приостановила вебхук" : "вебхук приостановлен"}. Сохранённое уйдёт после возобновления.`,
    ];
  return [`Ваш сервер пока не принял ${those(all - taken)}; мы пробуем снова.`];
}
