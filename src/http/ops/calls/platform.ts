import * as z from "zod";
import { environmentSchema } from "../../../core/environment.ts";
import { rejectInput } from "../../../core/errors.ts";
import { toMajorUnits, toMinorUnits } from "../../../core/money.ts";
import { dayIn, daysAfter, startOfDay, UTC } from "../../../core/time-zone.ts";
import {
  enterBankFee,
  listPlatform,
  type PlatformTransaction,
  platformSources,
  sumPlatform,
} from "../../../ledger/platform-transactions.ts";
import { periodOf, periodQuery } from "../../calls/moments.ts";
import { cutPage, pageKeyIn, pageOf, pageQuery } from "../../calls/paging.ts";
import { conflict } from "../../calls/refusal.ts";
import { OLDEST_DAYS } from "../../objects/payouts.ts";
import { oneLine } from "../../one-line.ts";
import { wire } from "../../wire.ts";
import { defineCall } from "../define-call.ts";

const transactionView = z.object({
  id: z.string().describe("The processor's `txn_…`, or `bf_…` of a bank's fee"),
  source: z.enum(platformSources),
  environment: environmentSchema,
  type: z.string().describe("The processor's type, such as `payout` or `stripe_fee`; `bank_fee`"),
  amount: z.number().describe("In major units; negative for what was taken from us, or left the balance"),
  fee: z.number().describe("What the processor took for it; positive where it is a cost"),
  currency: z.string(),
  at: z.string(),
  available_at: z.string().nullable().describe("When the processor counts it as settled"),
  description: z.string().nullable().describe("The processor's text, or the bank's document"),
  terminal: z.string().nullable(),
  entered_by: z.string().nullable().describe("The operator; null for what the processor listed"),
});

const fieldsOf = wire(transactionView);

const viewTransaction = (row: PlatformTransaction): z.input<typeof transactionView> => ({
  ...fieldsOf(row),
  amount: toMajorUnits(row.amount, row.currency),
  fee: toMajorUnits(row.fee, row.currency),
  entered_by: row.holder,
});

const sumView = transactionView.pick({ type: true, currency: true, amount: true, fee: true }).extend({ count: z.int() });

const viewSum = ({ amount, fee, ...sum }: Awaited<ReturnType<typeof sumPlatform>>[number]): z.input<typeof sumView> => ({
  ...sum,
  amount: toMajorUnits(amount, sum.currency),
  fee: toMajorUnits(fee, sum.currency),
});

export const platformCalls = [
  defineCall({
    command: "platform list",
    path: "/ops/platform-transactions",
    role: "any",
    summary:
      "What moved between the processor or the bank and us, newest first: their fees, payouts to our account, reserves. None is a partner's",
    query: z.object({
      environment: environmentSchema.default("live"),
      type: z.string().max(64, "must be at most 64 characters").optional().describe("Such as payout, stripe_fee, bank_fee"),
      ...periodQuery,
      ...pageQuery,
    }),
    answer: pageOf(transactionView).extend({ sums: z.array(sumView).describe("Of the whole selection, by type and currency") }),
    example: "--type payout",
    async run({ deps }, { query: { environment, type, limit, cursor, ...asked } }) {
      const selection = { environment, type, period: periodOf(asked) };
      const [rows, sums] = await Promise.all([
        listPlatform(deps.directory, selection, pageKeyIn(cursor), limit + 1),
        sumPlatform(deps.directory, selection),
      ]);
      return { ...cutPage(rows, limit, viewTransaction, ({ at, id }) => [at, id]), sums: sums.map(viewSum) };
    },
  }),
  defineCall({
    command: "bank-fees enter",
    method: "POST",
    path: "/ops/bank-fees",
    role: "admin",
    summary: "Enters what the bank took, from its document: it says no fee with a payment. It is in no partner's books",
    body: z.strictObject({
      terminal: z.string().describe("Of the settings"),
      amount: z.number().max(1_000_000_000).min(-1_000_000_000).describe("In rubles; what the bank gives back is negative"),
      date: z.iso.date().describe("The day of the document"),
      document: oneLine(100).describe("The number of the bank's document; each is entered once"),
      environment: environmentSchema.default("live"),
    }),
    positional: ["terminal", "amount", "date", "document"],
    status: 201,
    answer: transactionView,
    irreversible: "An entry is never changed: correct it by one with the opposite sign, under a document such as `ACT-2026-10 correction`.",
    example: "main 1250.50 2026-10-31 ACT-2026-10",
    async run({ deps, actor }, { body: { terminal, date, document, environment, ...body } }) {
      const known = Object.keys(deps.settings.bank.terminals[environment]);
      if (!known.includes(terminal)) rejectInput(`terminal: must be one of ${known.join(", ")}`, "terminal");
      const amount = toMinorUnits(body.amount, "RUB");
      if (amount === 0) rejectInput("amount: must not be 0", "amount");
      if (toMajorUnits(amount, "RUB") !== body.amount) rejectInput("amount: has more decimals than RUB", "amount");
      const today = dayIn(deps.clock.now(), UTC);
      if (date > today) rejectInput("date: must not be in the future", "date");
      if (date < daysAfter(today, -OLDEST_DAYS)) rejectInput(`date: must not be more than ${OLDEST_DAYS} days ago`, "date");
      const fee = { environment, terminal, amount, at: startOfDay(date, UTC), document };
      const entered = await enterBankFee(deps, fee, actor);
      return viewTransaction(
        entered ?? conflict("A fee of this terminal with this document was entered before. `platform list --type bank_fee` shows it."),
      );
    },
  }),
];
