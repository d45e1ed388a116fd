import * as z from "zod";
import { linesStanding, type Standing, type StandingLine, standingOf, standsIn } from "../../books/booked.ts";
import { payoutEntries } from "../../books/payouts.ts";
import {
  closedStatements,
  closeStatements,
  findStatement,
  type OpenStatement,
  openStatements,
  type StatementRow,
  type StatementsOf,
  statementBefore,
} from "../../books/statements.ts";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { inMajorUnits, toMajorUnits } from "../../core/money.ts";
import { startOfMonth } from "../../core/time-zone.ts";
import { BOM, type CsvForm, csvFormOf, csvLine, isLocale, NO_LOCALE, textCell } from "../calls/csv.ts";
import { monthField } from "../calls/moments.ts";
import { pageQuery } from "../calls/paging.ts";
import { defineCall } from "../ops/define-call.ts";
import { wire } from "../wire.ts";
import { booksOf, ofPartner, ownerOf } from "./books-of.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { missing, ownDeps, ownerField, requireRow } from "./rows.ts";
import { SUM_WEIGHT } from "./selection.ts";

/** A month in one currency, of live data. */
export const statementView = z.object({
  id: z.string(),
  number: z.int().nullable().describe("Consecutive for each partner; null while it is open"),
  month: z.string(),
  currency: z.string(),
  state: z.enum(["open", "closed"]),
  time_zone: z.string().describe("The month is one of this zone"),
  opening: z.number(),
  payments: z.number(),
  refunds: z.number().describe("Negative"),
  disputes: z.number().describe("Negative; a dispute that was won returns it"),
  fees: z.number().describe("The processor's, signed as `fee` of a movement: positive where it is a cost"),
  terms: z.number().describe("What the service keeps; negative"),
  payouts: z.number().describe("Negative; one that was taken back returns it"),
  closing: z.number().describe("`opening` + `payments` + `refunds` + `disputes` − `fees` + `terms` + `payouts`"),
  closed_at: z.string().nullable(),
});

/** The sums of a statement, in the order in which they add up. */
export const POSITIONS = ["opening", "payments", "refunds", "disputes", "fees", "terms", "payouts", "closing"] as const;

export const ownedStatement = statementView.extend(ownerField);

type AnyStatement = StatementRow | OpenStatement;

const openId = ({ currency, month }: Pick<OpenStatement, "currency" | "month">) => `open_${currency}_${month}`;

const fieldsOf = wire(ownedStatement);

export function viewStatement(row: AnyStatement): z.input<typeof ownedStatement> {
  const closed = "number" in row ? row : null;
  return {
    ...fieldsOf(row),
    id: closed?.id ?? openId(row),
    number: closed?.number ?? null,
    state: closed === null ? "open" : "closed",
    ...inMajorUnits(POSITIONS, row, row.currency),
    closed_at: isoTimeOrNull(closed?.closedAt ?? null),
  };
}

const NO_STATEMENT = {
  partner: "You have no such statement. `GET /partner/statements` lists them.",
  operator: "There is no such statement. `statements list --partner <id>` shows a partner's.",
};

const lineView = z.object({
  id: z.string().describe("The movement; of a ruble payment, its order and what it is of it; or the payout"),
  date: z.string(),
  type: z.enum(["payment", "refund", "dispute", "payout"]),
  order_id: z.string().nullable(),
  amount: z.number(),
  fee: z.number(),
  terms: z.number(),
  total: z.number().describe("`amount` − `fee` + `terms`"),
  late: z.boolean().describe("Of an earlier month that was closed before it was known"),
});

type Line = z.infer<typeof lineView>;

/** The lines of one answer; a file has all of them. */
const MOST_LINES = 1_000;

/** All statements of a partner, newest first. */
async function allStatements(of: StatementsOf, now: number): Promise<AnyStatement[]> {
  const closed = await closedStatements(of.db, of.partnerId);
  const open = await openStatements(of, closed, now);
  const byMonth = (one: AnyStatement, other: AnyStatement) =>
    one.month === other.month ? (one.currency < other.currency ? -1 : 1) : one.month < other.month ? 1 : -1;
  return [...open, ...closed].toSorted(byMonth);
}

/** The statements of one partner: of the asking one, or of the one that an operator names. */
export async function statementsPage(asker: Asker, { partner }: { readonly partner?: string | undefined }) {
  const of = await booksOf(asker, ownerOf(asker, partner));
  return { data: (await allStatements(of, asker.deps.clock.now())).map(viewStatement), next: null };
}

/** A statement and what stands in it. */
interface Shown {
  readonly of: StatementsOf;
  readonly statement: AnyStatement;
  readonly standing: Standing;
}

/** A statement by its id. @throws CallRefusal 404 */
async function requireStatement(asker: Asker, id: string, partnerId: string | undefined): Promise<Shown> {
  const now = asker.deps.clock.now();
  if (!id.startsWith("open_")) {
    const { found } = await requireRow(asker, ({ db }) => findStatement(db, id), asker.deps.findAnywhere, NO_STATEMENT);
    const of = await booksOf(asker, found.partnerId);
    return { of, statement: found, standing: standingOf(found, await statementBefore(of.db, found)) };
  }
  const owner = asker.partner?.caller.partnerId ?? partnerId ?? missing(asker, NO_STATEMENT);
  const of = await booksOf(asker, owner);
  const closed = await closedStatements(of.db, owner);
  const open = await openStatements(of, closed, now);
  const statement = open.find((one) => openId(one) === id) ?? missing(asker, NO_STATEMENT);
  const isFirst = open.find(({ currency }) => currency === statement.currency) === statement;
  const last = closed.findLast(({ currency }) => currency === statement.currency) ?? null;
  const before = isFirst ? last : { until: startOfMonth(statement.month, of.timeZone), bookedUntil: Number.MAX_SAFE_INTEGER };
  return { of, statement, standing: { currency: statement.currency, until: statement.until, bookedUntil: undefined, before } };
}

/** The lines of a statement, oldest first, in parts: movements by their time, then payouts. */
async function* linesOf({ of, statement: { currency, until }, standing }: Shown): AsyncGenerator<Line[], undefined> {
  const from = standing.before?.until ?? 0;
  const major = (minor: number) => toMajorUnits(minor, currency);
  const viewLine = ({ id, at, kind, orderId, amount, fee, term }: StandingLine): Line => ({
    id,
    date: isoTime(at),
    type: kind,
    order_id: orderId,
    amount: major(amount),
    fee: major(fee),
    terms: major(term),
    total: major(amount - fee + term),
    late: at < from,
  });
  for (let after: StandingLine | null = null; ; ) {
    const lines: StandingLine[] = await linesStanding(of, standing, after, MOST_LINES);
    if (lines.length > 0) yield lines.map(viewLine);
    after = lines.at(-1) ?? null;
    if (lines.length < MOST_LINES) break;
  }
  const paidOut = (await payoutEntries(of.db, of.partnerId)).filter(
    (entry) => entry.payout.currency === currency && standsIn(entry, standing) && entry.at < until,
  );
  if (paidOut.length === 0) return undefined;
  yield paidOut.map(({ payout, amount, at }): Line => {
    const total = major(amount);
    return { id: payout.id, date: isoTime(at), type: "payout", order_id: null, amount: total, fee: 0, terms: 0, total, late: at < from };
  });
  return undefined;
}

const COLUMNS = ["id", "date", "type", "order_id", "amount", "fee", "terms", "total", "late"] as const satisfies readonly (keyof Line)[];

const cellsOf = (line: Line) =>
  COLUMNS.map((column) => {
    const value = line[column];
    return typeof value === "string" ? textCell(column, value) : value;
  });

async function* csvOf(shown: Shown, form: CsvForm): AsyncGenerator<string, undefined> {
  yield `${BOM}${csvLine([...COLUMNS, "currency"], form)}`;
  for await (const lines of linesOf(shown)) yield lines.map((line) => csvLine([...cellsOf(line), shown.statement.currency], form)).join("");
  return undefined;
}

const statementDetail = statementView.extend({
  lines: z
    .array(lineView)
    .describe(`Movements oldest first, then payouts: the first ${MOST_LINES.toLocaleString("en")}. With \`Accept: text/csv\`, all of them`),
  line_count: z.int().describe("Of all lines"),
});

const locale = z.string().refine(isLocale, NO_LOCALE).optional().describe("Of the spreadsheet, for the lines as CSV");
const format = z.enum(["json", "csv"]).optional().describe("`csv` for the lines as a file, like `Accept: text/csv`");

export const statementCalls = [
  defineForBoth({
    query: z.object(pageQuery),
    partner: {
      command: "statements list",
      path: "/partner/statements",
      weight: SUM_WEIGHT,
      permission: "balance_view",
      forAgents: {
        tool: "list-partner-statements",
        hint: "Use it for a month's opening, income, fees, payouts and closing, by currency. A closed statement never changes.",
        ofOneEnvironment: "refused",
      },
      summary: "Your statements, newest month first: one for each month and currency of live data",
      answer: z.object({ data: z.array(statementView), next: z.null() }),
    },
    operator: { role: "any", summary: "A partner's statements, newest month first", filters: ofPartner, example: "--partner acme" },
    run: (asker, { query }) => statementsPage(asker, query),
  }),
  defineForBoth({
    query: z.object({ locale, format }),
    partner: {
      command: "statements show",
      path: "/partner/statements/{id}",
      weight: SUM_WEIGHT,
      permission: "balance_view",
      forAgents: {
        tool: "get-partner-statement",
        hint: "Use it for the lines of one statement whose id list-partner-statements has named.",
        ofOneEnvironment: "refused",
      },
      summary: "A statement with its lines; as CSV with `Accept: text/csv`",
      answer: statementDetail,
      example: "st_0123…",
    },
    operator: {
      role: "any",
      summary: "A statement with its lines",
      filters: { partner: z.string().optional().describe("Whose, for an open statement") },
      answer: statementDetail.extend(ownerField),
    },
    async download(asker, { params, query }, accept) {
      if (query.format !== "csv" && (query.format === "json" || !/\btext\/csv\b/.test(accept))) return null;
      const shown = await requireStatement(asker, params.id, query.partner);
      const { month, currency, timeZone } = shown.statement;
      return { type: "text/csv", name: `statement-${month}-${currency}.csv`, texts: csvOf(shown, csvFormOf(query.locale, timeZone)) };
    },
    async run(asker, { params, query }) {
      const shown = await requireStatement(asker, params.id, query.partner);
      const lines: Line[] = [];
      for await (const part of linesOf(shown)) {
        lines.push(...part);
        if (lines.length >= MOST_LINES) break;
      }
      const { partnerId } = shown.of;
      return {
        ...viewStatement(shown.statement),
        partner_id: partnerId,
        line_count: shown.statement.lines,
        lines: lines.slice(0, MOST_LINES),
      };
    },
  }),
  defineCall({
    command: "statements close",
    method: "POST",
    path: "/ops/partners/{partner}/statements/close",
    role: "admin",
    summary: "Closes a partner's months up to one that is over. The cron does it on the fifth day of the next month",
    body: z.strictObject({ month: monthField.describe("The last month to close") }),
    positional: ["month"],
    irreversible: "A closed statement is never changed: what becomes known later stands in the next one.",
    answer: z.object({ success: z.boolean(), closed: z.int(), statements: z.array(statementView) }),
    example: "acme 2026-10",
    async run({ deps, actor }, { params: { partner }, body }) {
      const asker: Asker = { deps, actor, partner: null };
      const of = await booksOf(asker, partner);
      const closed = await closeStatements(await ownDeps(asker, partner), of, { actor, upTo: body.month });
      const all = await closedStatements(of.db, partner);
      return { success: true, closed, statements: all.slice(all.length - closed).map(viewStatement) };
    },
  }),
];
