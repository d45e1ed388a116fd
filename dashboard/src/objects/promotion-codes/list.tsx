import type { RowOf } from "../../api/paths.ts";
import { linkColumn, momentColumn } from "../../shared/columns.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Status } from "../../shared/status.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { ownLocale } from "../../texts/own-language.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { counted } from "../selection.tsx";

const { promotionCodes: words } = texts;

const pageOf = (row: RowOf<"/partner/promotion-codes">): string => `/promotion-codes/${row.promotion_code_id}`;

const end = (at: string | null) => (at === null ? texts.common.never : <MomentText at={at} />);

/** Promotion codes. */
export const promotionCodes: ObjectListOf<"/partner/promotion-codes"> = {
  path: "/partner/promotion-codes",
  name: "promotion-codes",
  file: "promotion-codes",
  label: words.title,
  periodLabel: texts.links.created,
  filters: () => [
    { kind: "choice", name: "state", label: texts.common.status, choices: ["active", "expired", "disabled"] },
    ...periodFilters(),
  ],
  summary: counted(words.count),
  keyOf: (row) => row.promotion_code_id,
  pageOf,
  columns: [
    linkColumn(words.code, pageOf, (row) => row.code, { sortBy: (row) => row.code, second: (row) => row.products.join(", ") }),
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    {
      header: words.off,
      align: "right",
      sort: "percent_off",
      sortBy: (row) => row.percent_off,
      cell: (row) => (
        <>
          <span className="amount">{row.percent_off} %</span>
          <SecondLine text={words.durationOf(row.duration, row.duration_in_months)} />
        </>
      ),
    },
    {
      header: words.timesUsed,
      from: "sm",
      align: "right",
      sortBy: (row) => row.used,
      cell: ({ used, max_redemptions }) => (
        <>
          {used?.toLocaleString(ownLocale()) ?? "–"}
          <SecondLine text={max_redemptions === null ? null : words.atMost(max_redemptions)} />
        </>
      ),
    },
    {
      header: words.givenAway,
      from: "md",
      align: "right",
      cell: ({ discounts }) =>
        discounts
          ?.filter(({ amount }) => amount !== 0)
          .map(({ currency, amount }) => (
            <div key={currency}>
              <Money amount={amount} currency={currency} />
            </div>
          )),
    },
    { header: texts.common.expires, from: "sm", sort: "expires_at", sortBy: (row) => row.expires_at, cell: (row) => end(row.expires_at) },
    momentColumn(texts.links.created, "created_at", { from: "lg", sort: true }),
  ],
  none: words.none,
  noneNext: words.noneNext,
};
