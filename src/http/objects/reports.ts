import * as z from "zod";
import {
  type Dimension,
  dimensions,
  joinSales,
  netOf,
  periodBefore,
  readSales,
  type SalesFigures,
  type SalesRow,
} from "../../books/sales.ts";
import { summarize } from "../../books/subscriptions.ts";
import { environmentSchema, environments } from "../../core/environment.ts";
import { inMajorUnits, toMajorUnits } from "../../core/money.ts";
import { monthIn, monthsAfter, startOfMonth } from "../../core/time-zone.ts";
import { namesIn, termsOfLinks } from "../../links/store.ts";
import { namesOfItems } from "../../orders/items.ts";
import { nameOfMethod } from "../../processor/customers.ts";
import { countByMonths, groupSubscriptions, joinMonths } from "../../subscriptions/summary.ts";
import { listEnvironment } from "../calls/lists.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { periodIn, reportDays } from "./report-days.ts";
import { allRows, byPartner, readableData, zoneOf } from "./rows.ts";
import { REPORT_WEIGHT, SUM_WEIGHT } from "./selection.ts";

const by = z
  .string()
  .default("month")
  .transform((text, context): Dimension[] => {
    const wanted = text.split(",").map((one) => one.trim());
    const known = wanted.flatMap((one) => dimensions.find((dimension) => dimension === one) ?? []);
    if (known.length === wanted.length && known.length <= 2 && new Set(known).size === known.length) return known;
    context.addIssue({ code: "custom", message: `must be one or two of ${dimensions.join(", ")}, with a comma` });
    return z.NEVER;
  });

const figures = {
  environment: environmentSchema.describe("Test money is never added to live money"),
  currency: z.string().describe("The settlement currency"),
  orders: z.int().describe("Orders that were paid; by product, each counts for each of its products"),
  units: z.int().describe("Things sold in them"),
  gross: z.number().describe("What came in, in major units, after discounts"),
  pending: z.number().describe("Of `gross`: payments by slow methods that are under way, and may still fail"),
  discounts: z.number().describe("What customers were let off; not negative, and not in `gross`"),
  refunds: z.number().describe("Negative, on the day of the refund"),
  disputes: z.number().describe("Negative; a dispute that was won returns it"),
  fees: z.number().describe("Signed as `fee` of a movement: positive where it is a cost. The ruble bank does not say its fee"),
  net: z.number().describe("`gross` + `refunds` + `disputes` − `fees`"),
};

const key = z.string().nullable().optional();
const keys = {
  day: key,
  week: key.describe("The Monday it begins with"),
  month: key,
  product: key,
  link: key,
  method: key,
  promotion_code: key,
};

const salesAnswer = z.object({
  from: z.string(),
  to: z.string().describe("The last day, which is in it"),
  time_zone: z.string().describe("Its days are days of this zone"),
  rows: z.array(
    z.object({
      ...keys,
      product_name: key.describe("By product: as it was named when it was last sold"),
      link_name: key.describe("By link: what it sells"),
      method_name: key.describe("By method: as people call it"),
      ...figures,
    }),
  ),
  totals: z.array(z.object(figures)).describe("Of the whole period, by currency and environment"),
  previous: z
    .object({ from: z.string(), to: z.string(), totals: z.array(z.object(figures)) })
    .describe(
      "The period before: of the beginning of a month, a quarter or a year, longer than a week, the same days of the one before; of others, as many days",
    ),
});

function viewFigures(row: SalesFigures): z.input<z.ZodObject<typeof figures>> {
  const { environment, currency, orders, units } = row;
  const amounts = inMajorUnits(["gross", "pending", "discounts", "refunds", "disputes", "fees"], row, currency);
  return { environment, currency, orders, units, ...amounts, net: toMajorUnits(netOf(row), currency) };
}

/** The value of a dimension that a row is of. */
const valueIn = ({ first, second }: SalesRow, wanted: readonly Dimension[], of: Dimension): string | null =>
  wanted[0] === of ? first : second;

/** Links whose names a report has: those that brought most. */
const MOST_NAMED = 500;

/** What the links of a report sell. One D1 round trip to each cell; none where the report is not by link, or of all partners. */
async function namesOfLinks(asker: Asker, partner: string | undefined, rows: readonly SalesRow[], wanted: readonly Dimension[]) {
  const partnerId = asker.partner?.caller.partnerId ?? partner;
  if (!wanted.includes("link") || partnerId === undefined) return new Map<string | null, string | null>();
  const best = rows.toSorted((one, other) => netOf(other) - netOf(one)).flatMap((row) => valueIn(row, wanted, "link") ?? []);
  const terms = await termsOfLinks(await readableData(asker, partnerId), [...new Set(best)].slice(0, MOST_NAMED));
  const own = [...terms].filter(([, link]) => link.partnerId === partnerId);
  return new Map<string | null, string | null>(own.map(([id, { lines }]) => [id, namesOfItems(lines)]));
}

function viewRow(row: SalesRow, wanted: readonly Dimension[], links: ReadonlyMap<string | null, string | null>) {
  const named = wanted.filter((one) => one !== "currency");
  const product = wanted.includes("product") ? { product_name: row.name } : {};
  const link = wanted.includes("link") ? { link_name: links.get(valueIn(row, wanted, "link")) ?? null } : {};
  const kind = valueIn(row, wanted, "method");
  const method = wanted.includes("method") ? { method_name: kind === null ? null : nameOfMethod(kind) } : {};
  const values = Object.fromEntries(named.map((one) => [one, valueIn(row, wanted, one)]));
  return { ...values, ...product, ...link, ...method, ...viewFigures(row) };
}

const salesCall = defineForBoth({
  query: z.object({
    environment: listEnvironment,
    ...reportDays,
    by: by.describe(`One or two of ${dimensions.join(", ")}, with a comma`),
  }),
  partner: {
    command: "reports sales",
    path: "/partner/reports/sales",
    weight: REPORT_WEIGHT,
    permission: "balance_view",
    forAgents: {
      tool: "report-partner-sales",
      hint: "Use it for how much was sold, refunded and kept after fees in a period, cards and rubles alike, by day, month, product, link or method. Days are of the partner's time zone, which the answer names. Never add up different currencies.",
      ofOneEnvironment: "refused",
    },
    summary: "What you sold in a period: orders, income, discounts, refunds, disputes, fees and net, of cards and rubles alike",
    answer: salesAnswer,
    example: "--from 2026-10-01 --to 2026-10-31 --by month,currency",
  },
  operator: {
    role: "any",
    summary: "What was sold in a period: of a partner, or of all",
    filters: byPartner,
    example: "--partner acme --by product",
  },
  async run(asker, { query: { partner, environment, by: wanted, ...days } }) {
    const period = periodIn(asker, days, await zoneOf(asker, partner));
    const asked = { ...period, environments: environment === undefined ? environments : [environment], by: wanted };
    const { rows, totals, before } = joinSales(
      await allRows(asker, partner, (data, partnerId) => readSales(data, { ...asked, partnerId })),
    );
    const { from, to } = periodBefore(period);
    const links = await namesOfLinks(asker, partner, rows, wanted);
    return {
      from: period.from,
      to: period.to,
      time_zone: period.timeZone,
      rows: rows.map((row) => viewRow(row, wanted, links)),
      totals: totals.map(viewFigures),
      previous: { from, to, totals: before.map(viewFigures) },
    };
  },
});

const SHOWN_MONTHS = 13;

const subscriptionsAnswer = z.object({
  rows: z.array(
    z.object({
      environment: environmentSchema,
      product_id: z.string().nullable(),
      name: z.string().nullable(),
      interval: z.string().nullable(),
      interval_count: z.int().nullable(),
      currency: z.string().nullable(),
      active: z.int(),
      trialing: z.int(),
      past_due: z.int(),
      ending: z.int().describe("They go on until their scheduled end"),
      monthly: z
        .number()
        .nullable()
        .describe(
          "What active and past due ones bring a month, also those that end, at list price: yearly by twelve, quarterly by three; null if a price is not known",
        ),
    }),
  ),
  totals: z
    .array(
      z.object({
        environment: environmentSchema,
        currency: z.string(),
        active: z.int().describe("Active, past due and ending"),
        monthly: z.number(),
      }),
    )
    .describe("By currency and environment"),
  time_zone: z.string().describe("Its months are months of this zone"),
  months: z
    .array(
      z.object({
        month: z.string(),
        started: z.int(),
        ended: z.int(),
        kept: z.int().describe("Of those that ran as the month began, how many ran as it ended; of this month, how many run now"),
      }),
    )
    .describe("The last twelve months and this one, the oldest first"),
});

/** The last twelve months and this one, as periods. */
function monthsUpTo(now: number, zone: string) {
  const last = monthIn(now, zone);
  return Array.from({ length: SHOWN_MONTHS }, (_, index) => {
    const month = monthsAfter(last, index + 1 - SHOWN_MONTHS);
    return { month, from: startOfMonth(month, zone), to: startOfMonth(monthsAfter(month, 1), zone) };
  });
}

const majorOrNull = (minor: number | null, currency: string | null) =>
  minor === null || currency === null ? null : toMajorUnits(minor, currency);

const subscriptionsCall = defineForBoth({
  query: z.object({ environment: listEnvironment }),
  partner: {
    command: "reports subscriptions",
    path: "/partner/reports/subscriptions",
    weight: SUM_WEIGHT,
    permission: "balance_view",
    forAgents: {
      tool: "report-partner-subscriptions",
      hint: "Use it for how many subscriptions there are, begin and end, and what they bring a month, by currency.",
      ofOneEnvironment: "refused",
    },
    summary: "How many subscriptions you have, to what, and what they bring a month",
    answer: subscriptionsAnswer,
    example: "--environment live",
  },
  operator: {
    role: "any",
    summary: "How many subscriptions there are, to what, and what they bring a month: of a partner, or of all",
    filters: byPartner,
    example: "--partner acme",
  },
  async run(asker, { query: { partner, environment } }) {
    const wanted = environment === undefined ? environments : [environment];
    const zone = await zoneOf(asker, partner);
    const asked = monthsUpTo(asker.deps.clock.now(), zone);
    // All subscriptions of a partner are in its current cell; its links are in all.
    const parts = await allRows(
      asker,
      partner,
      async (data, owner) => ({
        counted: await countByMonths(data, owner, wanted, asked),
        groups: await groupSubscriptions(data, owner, wanted),
      }),
      "current",
    );
    const groups = parts.flatMap((part) => part.groups);
    const links = [...new Set(groups.flatMap(({ paymentLinkId }) => paymentLinkId ?? []))];
    const names = await allRows(asker, partner, async (data) => [...namesIn(await termsOfLinks(data, links))]);
    const { rows, totals } = summarize(groups, new Map(names.flat()));
    return {
      rows: rows.map(({ productId, intervalCount, pastDue, monthly, ...row }) => ({
        ...row,
        product_id: productId,
        interval_count: intervalCount,
        past_due: pastDue,
        monthly: majorOrNull(monthly, row.currency),
      })),
      totals: totals.map(({ monthly, ...total }) => ({ ...total, monthly: toMajorUnits(monthly, total.currency) })),
      time_zone: zone,
      months: joinMonths(parts.map(({ counted }) => counted)),
    };
  },
});

export const reportCalls = [salesCall, subscriptionsCall];
