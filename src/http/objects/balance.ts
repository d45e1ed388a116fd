import * as z from "zod";
import { type BookedBalance, readBooked } from "../../books/booked.ts";
import { type PayoutEntry, payoutEntries } from "../../books/payouts.ts";
import { setTerms } from "../../books/terms.ts";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import { byKey, groupsBy } from "../../core/sums.ts";
import { dayIn, startOfDay } from "../../core/time-zone.ts";
import type { Deps } from "../../deps.ts";
import { summaryOfBalance } from "../../summaries/of-balance.ts";
import { enteredField, exactMinorOf } from "../calls/money-fields.ts";
import { conflict } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { booksOf, ofPartner, ownerOf } from "./books-of.ts";
import { defineForBoth, defineForPartner } from "./define.ts";
import { summaryField } from "./rows.ts";
import { SUM_WEIGHT } from "./selection.ts";

const balanceAnswer = z.object({
  data: z.array(
    z.object({
      environment: environmentSchema,
      currency: z.string(),
      balance: z.number().describe("What your movements sum to after fees and terms, less what was paid out; in major units"),
      settled: z.number().describe("The part that processor and bank have made available"),
      pending: z.number().describe("The part that they have not yet"),
      upcoming: z
        .array(z.object({ date: z.string().describe("A day of the partner's time zone"), amount: z.number() }))
        .describe("What of `pending` becomes available on which day, the next one first"),
      summary: summaryField,
    }),
  ),
  next: z.null(),
});

/** When each ruble terminal is credited, of all environments: names are unique, or mean the same bank. */
function settlementDays({ settings }: Pick<Deps, "settings">): Readonly<Record<string, number>> {
  const { live, test } = settings.bank.terminals;
  return Object.fromEntries(Object.entries({ ...test, ...live }).map(([name, { settlementDays: days }]) => [name, days]));
}

const paidOutOf = (entries: readonly PayoutEntry[], currency: string): number =>
  entries.reduce((sum, { payout, amount }) => (payout.currency === currency ? sum + amount : sum), 0);

const sum = (parts: readonly BookedBalance[]): number => parts.reduce((total, { booked }) => total + booked, 0);

/** The first day's part of what is pending, and when it becomes available; null without one. */
const nextOf = (parts: readonly BookedBalance[] | undefined) =>
  parts?.[0] === undefined ? null : { at: parts[0].availableAt, amount: sum(parts) };

const termsView = z.object({
  currency: z.string(),
  since: z.string(),
  percent: z.number().describe("Of each payment"),
  fixed: z.number().describe("Of each payment, in major units"),
});

export const currencyCode = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "must be a currency of three letters, such as USD")
  .transform((code) => code.toUpperCase());

export const balanceCalls = [
  defineForBoth({
    partner: {
      command: "balance",
      path: "/partner/balance",
      weight: SUM_WEIGHT,
      permission: "balance_view",
      forAgents: { tool: "get-partner-balance", hint: "Use it for what will be paid out: the balance by currency, settled or not yet." },
      summary: "Your balance by currency: what is settled, and what is not yet",
      answer: balanceAnswer,
    },
    operator: {
      role: "any",
      summary: "A partner's balance by currency: what is settled, and what is not yet",
      filters: ofPartner,
      example: "--partner acme",
    },
    async run(asker, { query: { partner } }) {
      const { deps } = asker;
      const partnerId = ownerOf(asker, partner);
      const books = await booksOf(asker, partnerId);
      const [booked, paidOut] = await Promise.all([
        readBooked(books, settlementDays(deps), deps.clock.now()),
        payoutEntries(books.db, partnerId),
      ]);
      const groups = Map.groupBy(booked, ({ environment, currency }) => `${environment} ${currency}`);
      for (const { payout } of paidOut) {
        const key = `live ${payout.currency}`;
        if (!groups.has(key)) groups.set(key, []);
      }
      const data = [...groups].toSorted(byKey).map(([key, rows]) => {
        const [name = "", currency = ""] = key.split(" ");
        const environment = environmentSchema.parse(name);
        const major = (minor: number) => toMajorUnits(minor, currency);
        const out = environment === "live" ? paidOutOf(paidOut, currency) : 0;
        const settled = sum(rows.filter(({ availableAt }) => availableAt === 0)) + out;
        const waiting = rows.filter(({ availableAt }) => availableAt > 0);
        const pending = sum(waiting);
        const days = groupsBy(waiting, ({ availableAt }) => dayIn(availableAt, books.timeZone));
        return {
          environment,
          currency,
          balance: major(settled + pending),
          settled: major(settled),
          pending: major(pending),
          upcoming: days.map(([date, parts]) => ({ date, amount: major(sum(parts)) })),
          summary: summaryOfBalance({ environment, currency, settled, pending, next: nextOf(days[0]?.[1]) }, books.timeZone),
        };
      });
      return { data, next: null };
    },
  }),
  defineForPartner({
    partner: {
      command: "terms list",
      path: "/partner/terms",
      permission: "balance_view",
      summary: "What the service keeps of your live payments, the latest terms first. Each payment has the terms of its own time",
      answer: z.object({ data: z.array(termsView), next: z.null() }),
    },
    operator: { role: "any", summary: "What the service keeps of a partner's live payments, the latest terms first", example: "acme" },
    async run({ asker, partnerId }) {
      const { terms } = await booksOf(asker, partnerId);
      return { data: terms.map(viewTerms), next: null };
    },
  }),
  defineCall({
    command: "terms set",
    method: "POST",
    path: "/ops/partners/{partner}/terms",
    role: "admin",
    summary: "Sets what the service keeps of a partner's live payments from a day on; no earlier payment changes",
    body: z.strictObject({
      currency: currencyCode,
      percent: z.number().min(0).max(100).multipleOf(0.01, "must have two decimals at most"),
      fixed: enteredField.min(0).default(0).describe("Of each payment, in major units"),
      since: z.iso.date().optional().describe("The first day, in the partner's time zone; default today"),
    }),
    positional: ["currency", "percent"],
    status: 201,
    answer: termsView,
    irreversible: "Terms are never changed: only later ones take their place.",
    example: "acme USD 2.5 --fixed 0.1",
    async run({ deps, actor }, { params: { partner }, body }) {
      const { db, terms: known, timeZone } = await booksOf({ deps, actor, partner: null }, partner);
      const today = dayIn(deps.clock.now(), timeZone);
      const day = body.since ?? today;
      if (day < today) rejectInput("since: must not be in the past: earlier payments keep their terms", "since");
      const { currency } = body;
      const set = {
        currency,
        // What was paid earlier today keeps its terms.
        since: day === today ? deps.clock.now() : startOfDay(day, timeZone),
        basisPoints: Math.round(body.percent * 100),
        fixed: exactMinorOf("fixed", body.fixed, currency),
      };
      const isOfDay = known.some((one) => one.currency === currency && dayIn(one.since, timeZone) === day);
      const isSet = !isOfDay && (await setTerms({ db, clock: deps.clock }, partner, set, actor));
      return isSet ? viewTerms(set) : conflict(`There are terms for ${currency} from ${day} on already. Choose a later day.`);
    },
  }),
];

function viewTerms({ currency, since, basisPoints, fixed }: { currency: string; since: number; basisPoints: number; fixed: number }) {
  return { currency, since: isoTime(since), percent: basisPoints / 100, fixed: toMajorUnits(fixed, currency) };
}
