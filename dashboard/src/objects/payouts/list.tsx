import type { RowOf } from "../../api/paths.ts";
import { moneyColumn } from "../../shared/columns.tsx";
import { dayText } from "../../shared/day-text.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { Part, Selection } from "../selection.tsx";

const { payouts: words } = texts;

const state = ({ state: shown }: RowOf<"/partner/payouts">) => <Status status={shown} />;

/** What was paid out, newest first. */
export const payouts: ObjectListOf<"/partner/payouts"> = {
  path: "/partner/payouts",
  name: "payouts",
  file: "payouts",
  label: words.title,
  filters: () => [
    { kind: "choice", name: "state", label: texts.common.status, choices: ["recorded", "reversed", "waiting"] },
    ...periodFilters(),
  ],
  hasEnvironment: false,
  summary: ({ count, sums }) => (
    <Selection count={count} say={words.count} sums={sums}>
      {({ currency, amount, paid_out }) => (
        <>
          <Part name={words.paidOut} amount={paid_out} currency={currency} strong />
          {amount !== paid_out && <Part name={`· ${words.inAll}`} amount={amount} currency={currency} />}
        </>
      )}
    </Selection>
  ),
  keyOf: ({ id }) => id,
  columns: [
    moneyColumn(texts.common.amount, "amount", { strong: true }),
    { header: texts.common.status, cell: state },
    { header: words.date, sort: "date", sortBy: (row) => row.date, cell: (row) => dayText(row.date) },
    { header: words.reference, from: "sm", cell: (row) => <span className="clamped">{row.bank_reference}</span> },
    { header: words.reason, from: "md", cell: (row) => row.reason ?? "–" },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
