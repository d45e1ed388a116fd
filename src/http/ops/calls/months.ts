import * as z from "zod";
import { type ProcessorMonth, sumMonth, type TerminalMonth } from "../../../books/month.ts";
import { type NotClosed, statementsOfMonth } from "../../../books/month-statements.ts";
import type { StatementRow } from "../../../books/statements.ts";
import { isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { inMajorUnits } from "../../../core/money.ts";
import { addedUp, groupsBy } from "../../../core/sums.ts";
import { monthsAfter, startOfMonth, UTC } from "../../../core/time-zone.ts";
import type { Deps } from "../../../deps.ts";
import { findReconciliation } from "../../../ledger/reconciliation-store.ts";
import { summaryOfMonth } from "../../../summaries/of-month.ts";
import { BOM, type CellValue, csvFormOf, csvLine, isLocale, NO_LOCALE } from "../../calls/csv.ts";
import { monthField } from "../../calls/moments.ts";
import { summaryField } from "../../objects/rows.ts";
import { ownedStatement, POSITIONS, statementView, viewStatement } from "../../objects/statements.ts";
import { defineCall } from "../define-call.ts";

const processorView = z.object({
  currency: z.string(),
  payments: z.number().describe("Of all partners, of UTC days; in major units"),
  refunds: z.number().describe("Negative"),
  disputes: z.number().describe("Negative; a dispute that was won returns it"),
  fees: z.number().describe("What the processor took of these: negative"),
  without_partner: z.number().describe("What movements without a known partner leave: `movements waiting` lists those to decide"),
  platform_fees: z.number().describe("What the processor bills us itself, and takes of payouts: negative"),
  paid_out: z.number().describe("From the processor to our bank account: negative"),
  other_platform: z.number().describe("Reserves, transfers and corrections between the processor and us"),
  change: z.number().describe("Of the processor's balance: the sum of all of these"),
  count: z.int().describe("Transactions of the processor"),
});

const terminalView = z.object({
  terminal: z.string(),
  currency: z.literal("RUB"),
  payments: z.number(),
  refunds: z.number().describe("Negative"),
  fees: z.number().describe("What the bank's documents say that it took, as entered: negative"),
  change: z.number(),
  count: z.int(),
});

const totalView = statementView.pick({
  currency: true,
  opening: true,
  payments: true,
  refunds: true,
  disputes: true,
  fees: true,
  terms: true,
  payouts: true,
  closing: true,
});

/** What the closed statements of a currency sum to. */
function viewTotal(currency: string, rows: readonly StatementRow[]): z.input<typeof totalView> {
  return { currency, ...inMajorUnits(POSITIONS, addedUp(POSITIONS, rows), currency) };
}

const monthView = z.object({
  month: z.string(),
  summary: summaryField,
  environment: environmentSchema,
  is_over: z.boolean().describe("In UTC. What is of a month that goes on changes"),
  compared_until: z
    .string()
    .nullable()
    .describe(
      "Up to when the processor's list was compared: what is between it and us is whole from the service's first comparison up to then",
    ),
  processor: z.array(processorView),
  bank: z.array(terminalView),
  statements: z.array(ownedStatement).describe("The closed ones of all partners; each is of its partner's time zone. Of live data alone"),
  totals: z.array(totalView).describe("What the closed statements sum to, by currency: `closing` is what is owed to partners"),
  not_closed: z
    .array(z.object({ partner_id: z.string(), currency: z.string(), cure: z.string() }))
    .describe("Whose month has money and no closed statement, and what closes it"),
});

type Month = z.input<typeof monthView>;

const PROCESSOR = [
  "payments",
  "refunds",
  "disputes",
  "fees",
  "without_partner",
  "platform_fees",
  "paid_out",
  "other_platform",
  "change",
] as const;

const viewProcessor = ({ currency, count, ...sums }: ProcessorMonth): z.input<typeof processorView> => {
  const { withoutPartner: without_partner, platformFees: platform_fees, paidOut: paid_out, otherPlatform: other_platform } = sums;
  const named = { ...sums, without_partner, platform_fees, paid_out, other_platform };
  return { currency, ...inMajorUnits(PROCESSOR, named, currency), count };
};

const viewTerminal = ({ terminal, count, ...sums }: TerminalMonth): z.input<typeof terminalView> => ({
  terminal,
  currency: "RUB",
  ...inMajorUnits(["payments", "refunds", "fees", "change"], sums, "RUB"),
  count,
});

async function readMonth(
  deps: Deps,
  { month, environment }: { readonly month: string; readonly environment: "live" | "test" },
): Promise<Month> {
  const next = monthsAfter(month, 1);
  const { processor, bank } = await sumMonth(deps, environment, { from: startOfMonth(month, UTC), to: startOfMonth(next, UTC) });
  const { closed, notClosed } = environment === "test" ? { closed: [], notClosed: [] } : await statementsOfMonth(deps, month, next);
  const byCurrency = groupsBy(closed, ({ currency }) => currency);
  const isOver = startOfMonth(next, UTC) <= deps.clock.now();
  const owed = byCurrency.map(([currency, rows]) => ({
    currency,
    amount: rows.reduce((sum, { closing }) => sum + Math.max(closing, 0), 0),
  }));
  return {
    month,
    summary: summaryOfMonth({
      month,
      environment,
      isOver,
      processor,
      owed,
      closed: closed.length,
      notClosed: [...new Set(notClosed.map(({ partnerId }) => partnerId))],
    }),
    environment,
    is_over: isOver,
    compared_until: isoTimeOrNull((await findReconciliation(deps.directory, `balance_transactions:${environment}`))?.comparedUntil ?? null),
    processor: processor.map(viewProcessor),
    bank: bank.map(viewTerminal),
    statements: closed.map(viewStatement),
    totals: byCurrency.map(([currency, rows]) => viewTotal(currency, rows)),
    not_closed: notClosed.map(({ partnerId, currency }: NotClosed) => ({
      partner_id: partnerId,
      currency,
      cure: `statements close ${partnerId} ${month}`,
    })),
  };
}

const COLUMNS = ["month", "book", "name", "currency", "position", "amount", "statement", "state"] as const;

/** What a controller reads in: a line for each sum, so that a pivot table of any program makes the rest. */
async function* linesOf(read: Month, locale: string | undefined): AsyncGenerator<string, undefined> {
  const form = csvFormOf(locale, UTC);
  const line = (cells: readonly CellValue[]) => csvLine([read.month, ...cells], form);
  yield `${BOM}${csvLine(COLUMNS, form)}`;
  for (const { currency, count: _, ...sums } of read.processor)
    yield Object.entries(sums)
      .map(([position, amount]) => line(["processor", "", currency, position, amount, null, null]))
      .join("");
  for (const { terminal, currency, count: _, ...sums } of read.bank)
    yield Object.entries(sums)
      .map(([position, amount]) => line(["bank", terminal, currency, position, amount, null, null]))
      .join("");
  for (const one of read.statements)
    yield POSITIONS.map((position) => line(["partner", one.partner_id, one.currency, position, one[position], one.number, one.state])).join(
      "",
    );
  for (const { partner_id, currency } of read.not_closed)
    yield line(["partner", partner_id, currency, "closing", null, null, "not closed"]);
  return undefined;
}

export const monthCalls = [
  defineCall({
    command: "books month",
    path: "/ops/books/months/{month}",
    role: "any",
    // A cell that does not answer would look like one without money.
    isPartial: false,
    summary: "A month of all partners: what moved at the processor and the bank, the closed statements, and whose month is not closed",
    params: z.object({ month: monthField }),
    query: z.object({
      environment: environmentSchema.default("live"),
      format: z.enum(["json", "csv"]).optional().describe("`csv` for a controller's file: a line for each sum"),
      locale: z.string().refine(isLocale, NO_LOCALE).optional().describe("Of the spreadsheet"),
    }),
    answer: monthView,
    example: "2026-10",
    async download({ deps }, { params: { month }, query: { environment, format, locale } }, accept) {
      if (format !== "csv" && (format === "json" || !/\btext\/csv\b/.test(accept))) return null;
      return { type: "text/csv", name: `books-${month}.csv`, texts: linesOf(await readMonth(deps, { month, environment }), locale) };
    },
    run: ({ deps }, { params: { month }, query: { environment } }) => readMonth(deps, { month, environment }),
  }),
];
