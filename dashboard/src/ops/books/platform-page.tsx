import { listPage } from "../../objects/list-page.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { platform: own } = words;

/** What moved between the processor or the bank and us: it is in no partner's books. */
const platform: OpsListOf<"/ops/platform-transactions"> = {
  path: "/ops/platform-transactions",
  name: "platform",
  label: own.title,
  filters: () => [
    { kind: "text", name: "type", label: own.type },
    { kind: "date", name: "since", label: own.since },
    { kind: "date", name: "until", label: own.until },
  ],
  isOfAll: false,
  summary: ({ sums }) => (
    <TableCard
      title={own.sums}
      rows={sums}
      keyOf={(row) => `${row.type} ${row.currency}`}
      columns={[
        { header: own.type, cell: (row) => row.type },
        { header: own.count, align: "right", cell: (row) => row.count.toLocaleString() },
        { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
        { header: texts.common.fee, align: "right", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
      ]}
    />
  ),
  keyOf: ({ id }) => id,
  columns: [
    { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
    {
      header: own.type,
      cell: (row) => (
        <>
          {row.type}
          <SecondLine text={row.description} />
        </>
      ),
    },
    { header: texts.common.fee, align: "right", from: "sm", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
    { header: words.lists.environment, from: "lg", cell: (row) => texts.environment[row.environment] },
    { header: texts.common.date, cell: (row) => <MomentText at={row.at} /> },
    { header: own.available, from: "md", cell: (row) => (row.available_at === null ? "–" : <MomentText at={row.available_at} />) },
    {
      header: words.partners.id,
      from: "lg",
      cell: (row) => (
        <>
          <span className="id">{row.id}</span>
          <SecondLine text={row.entered_by === null ? null : words.payouts.enteredBy(row.entered_by)} />
        </>
      ),
    },
  ],
  none: own.none,
  noneNext: own.noneNext,
};

const enter = <Action call="bank-fees enter" given={{}} label={own.enter} variant="filled" />;

export const PlatformPage = listPage(platform, own.about, { action: enter });
