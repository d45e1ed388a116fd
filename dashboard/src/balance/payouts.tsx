import type { RowOf } from "../api/paths.ts";
import { ObjectList, type ObjectListOf, periodFilters } from "../objects/object-list.tsx";
import { Part, Selection } from "../objects/selection.tsx";
import { dayText } from "../shared/day-text.ts";
import { Money } from "../shared/money.tsx";
import { Card } from "../shared/page.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { payouts: words } = texts;

const state = ({ state: shown }: RowOf<"/partner/payouts">) => <Status status={shown} />;

/** What was paid out, newest first. */
const payouts: ObjectListOf<"/partner/payouts"> = {
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
    {
      header: texts.common.amount,
      align: "right",

      cell: (row) => <Money amount={row.amount} currency={row.currency} strong />,
    },
    { header: texts.common.status, cell: state },
    { header: words.date, sort: "date", sortBy: (row) => row.date, cell: (row) => dayText(row.date) },
    { header: words.reference, from: "sm", cell: (row) => <span className="clamped">{row.bank_reference}</span> },
    { header: words.reason, from: "md", cell: (row) => row.reason ?? "–" },
  ],
  none: words.none,
  noneNext: words.noneNext,
};

/** The payouts of live data: there are none of test data. */
export function Payouts() {
  const { environment } = useEnvironment();
  return environment === "test" ? <Card title={words.title}>{words.liveOnly}</Card> : <ObjectList of={payouts} />;
}
