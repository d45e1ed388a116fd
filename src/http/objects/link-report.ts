import * as z from "zod";
import type { Environment } from "../../core/environment.ts";
import { environmentSchema, environments } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { daysAfter, startOfDay } from "../../core/time-zone.ts";
import { paidByLink } from "../../ledger/movements/paid-count.ts";
import { termsOfLinks } from "../../links/store.ts";
import { opensOfPartner } from "../../opens/store.ts";
import { namesOfItems } from "../../orders/items.ts";
import { listEnvironment } from "../calls/lists.ts";
import { defineForPartner } from "./define.ts";
import { periodIn, reportDays } from "./report-days.ts";
import { ownDeps, zoneOf } from "./rows.ts";
import { REPORT_WEIGHT } from "./selection.ts";

/** Links of one report, and those that it sums. */
const MOST_LINKS = 500;
const MOST_COUNTED = limits.sums.movements;

const linkReport = z.object({
  from: z.string(),
  to: z.string().describe("The last day, which is in it"),
  time_zone: z.string().describe("Its days are days of this zone"),
  rows: z
    .array(
      z.object({
        payment_link_id: z.string(),
        environment: environmentSchema,
        name: z.string().nullable().describe("What it sells"),
        opened: z.int().nullable().describe("How often customers opened its short link; null where this service does not count"),
        paid: z.int().describe("Payments; a subscription counts once, by its first"),
      }),
    )
    .describe("The links that were opened or paid, those most often opened first"),
  totals: z.object({ opened: z.int().nullable(), paid: z.int() }).describe("Of all these links"),
  is_complete: z
    .boolean()
    .describe(
      `False if \`totals\` counts more than \`rows\` has: links beyond the first ${MOST_LINKS}, or payments through links of another origin`,
    ),
});

interface Counted {
  opened: number;
  paid: number;
}

const SUMMARY = "How often customers opened each payment link in a period, and how many paid";

/** The funnel of all links of a partner, by link. */
export const linkReportCall = defineForPartner({
  query: z.object({ environment: listEnvironment, ...reportDays }),
  partner: {
    command: "reports links",
    path: "/partner/reports/links",
    weight: REPORT_WEIGHT,
    permission: "balance_view",
    summary: SUMMARY,
    answer: linkReport,
    example: "--from 2026-10-01 --to 2026-10-31",
  },
  operator: { role: "any", example: "acme --from 2026-10-01 --to 2026-10-31" },
  async run({ deps, asker, partnerId }, { query: { environment, ...days } }) {
    const { from, to, timeZone } = periodIn(asker, days, await zoneOf(asker, partnerId));
    const period = { from: startOfDay(from, timeZone), to: startOfDay(daysAfter(to, 1), timeZone) };
    const wanted: readonly Environment[] = environment === undefined ? environments : [environment];
    const sold = { partner: partnerId, environments: wanted };
    const { data } = await ownDeps(asker, partnerId);
    const counts = new Map<string, Counted>();
    const count = (link: string, more: Partial<Counted>) => {
      const known = counts.get(link) ?? { opened: 0, paid: 0 };
      counts.set(link, { opened: known.opened + (more.opened ?? 0), paid: known.paid + (more.paid ?? 0) });
    };
    const [opened, paid] = await Promise.all([
      data.each(({ db }) => opensOfPartner(db, sold, { from, to }, MOST_COUNTED + 1)),
      paidByLink(data, sold, period),
    ]);
    if (opened.some((part) => part.length > MOST_COUNTED)) {
      rejectInput(`customers opened more than ${MOST_COUNTED} links in these days: ask for fewer days`, "from");
    }
    for (const { link, opens } of opened.flat()) count(link, { opened: opens });
    for (const [link, payments] of paid) count(link, { paid: payments });
    const sorted = [...counts].toSorted(
      ([id, one], [otherId, other]) => other.opened - one.opened || other.paid - one.paid || (id < otherId ? -1 : 1),
    );
    const shown = sorted.slice(0, MOST_LINKS);
    const known = await termsOfLinks(
      data,
      shown.map(([id]) => id),
    );
    const isCounted = deps.readOpens !== null;
    const rows = shown.flatMap(([id, row]) => {
      const link = known.get(id);
      // A payment may name a link that this service did not make.
      if (link?.partnerId !== partnerId) return [];
      const { environment: of, lines } = link;
      return [{ payment_link_id: id, environment: of, name: namesOfItems(lines), opened: isCounted ? row.opened : null, paid: row.paid }];
    });
    const sumOf = (field: "opened" | "paid") => sorted.reduce((sum, [, row]) => sum + row[field], 0);
    return {
      from,
      to,
      time_zone: timeZone,
      rows,
      totals: { opened: isCounted ? sumOf("opened") : null, paid: sumOf("paid") },
      is_complete: rows.length === sorted.length,
    };
  },
});
