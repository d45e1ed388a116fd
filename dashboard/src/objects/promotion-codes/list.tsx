import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { ownLocale } from "../../texts/own-language.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { counted } from "../selection.tsx";

const { promotionCodes: words } = texts;

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
  pageOf: (row) => `/promotion-codes/${row.promotion_code_id}`,
  columns: [
    {
      header: words.code,
      sortBy: (row) => row.code,
      cell: (row) => (
        <>
          <RowLink to={`/promotion-codes/${row.promotion_code_id}`}>{row.code}</RowLink>
          <SecondLine text={row.products.join(", ")} />
        </>
      ),
    },
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
    {
      header: texts.links.created,
      from: "lg",
      sort: "created_at",
      sortBy: (row) => row.created_at,
      cell: (row) => <MomentText at={row.created_at} />,
    },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
