import { Button, Text } from "@mantine/core";
import { FileIcon } from "@primer/octicons-react";
import { audience } from "../api/audience.ts";
import { api } from "../api/client.ts";
import type { AnswerOf } from "../api/paths.ts";
import { NotThere } from "../objects/object-page.tsx";
import { DownloadButton } from "../objects/save-button.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { monthText } from "../shared/day-text.ts";
import { Empty } from "../shared/empty.tsx";
import { Facts } from "../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../shared/moment.tsx";
import { Money } from "../shared/money.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { Card, Page } from "../shared/page.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { useEnvironmentOf } from "../shell/environment.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { statements: words } = texts;
const BACK = { to: "/balance", label: texts.balance.title };
/** Statements are of live data. */
const LIVE = { environment: "live" } as const;

/** The answer that is no file. */
type Statement = Exclude<AnswerOf<"/partner/statements/{id}">, string>;

/** One statement: what it opens and closes with, and what stands in it. It prints on paper without the frame of the page. */
export function StatementPage() {
  const id = useIdInPath("statement");
  const { partner } = useSession();
  const { data: statement, error, refetch } = api.useQuery("get", "/partner/statements/{id}", { params: { path: { id } } });
  useEnvironmentOf(LIVE);
  if (statement === undefined || typeof statement === "string")
    return <NotThere title={id} back={BACK} error={error} retry={() => void refetch()} />;
  const { month, currency, state, lines, line_count: count } = statement;
  return (
    <Page
      back={BACK}
      title={words.titleOf(monthText(month), currency)}
      about={`${partner.name} · ${state === "open" ? words.stillOpen : words.numberOf(statement.number ?? 0)}`}
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => globalThis.print()} leftSection={<FileIcon size={14} aria-hidden />}>
            {words.print}
          </Button>
          <DownloadButton href={audience().addressOf(`/partner/statements/${id}?format=csv&locale=${globalThis.navigator.language}`)} />
        </>
      }
    >
      <Card title={words.sums}>
        <Sums statement={statement} />
      </Card>
      <Card title={words.lines}>
        {count === 0 ? <Empty title={words.noLines} /> : <Lines statement={statement} />}
        {count > lines.length && <Text size="sm">{words.more(lines.length, count)}</Text>}
      </Card>
    </Page>
  );
}

function Sums({ statement }: { readonly statement: Statement }) {
  const { currency, opening, payments, refunds, disputes, fees, terms, payouts, closing } = statement;
  const money = (amount: number, strong = false) => <Money key={amount} amount={amount} currency={currency} strong={strong} />;
  return (
    <Facts
      facts={[
        [words.opening, money(opening)],
        [words.payments, money(payments)],
        [words.refunds, money(refunds)],
        [texts.disputes.title, money(disputes)],
        [words.fees, money(fees)],
        [words.terms, money(terms)],
        [texts.payouts.title, money(payouts)],
        [words.closing, money(closing, true)],
        [texts.account.zone, statement.time_zone],
        [words.closedAt, statement.closed_at === null ? null : <MomentWithUtc key="closed" at={statement.closed_at} />],
      ]}
    />
  );
}

function Lines({ statement: { currency, lines } }: { readonly statement: Statement }) {
  const money = (amount: number, strong = false) => <Money amount={amount} currency={currency} strong={strong} />;
  return (
    <DataTable
      label={words.lines}
      rows={lines}
      // A payout that was taken back in the same month has two lines.
      keyOf={({ id, total }) => `${id} ${total}`}
      columns={[
        { header: texts.common.date, cell: ({ date }) => <MomentText at={date} /> },
        { header: texts.common.kind, from: "sm", cell: kindOf },
        { header: texts.common.order, from: "sm", cell: ({ order_id }) => (order_id === null ? "–" : <ObjectLink id={order_id} />) },
        { header: texts.common.amount, align: "right", from: "sm", cell: ({ amount }) => money(amount) },
        { header: texts.common.fee, align: "right", from: "md", cell: ({ fee }) => money(fee) },
        { header: words.terms, align: "right", from: "md", cell: ({ terms }) => money(terms) },
        { header: texts.common.total, align: "right", cell: ({ total }) => money(total, true) },
      ]}
    />
  );
}

/** What a line is. A payment that failed after it was booked is taken back by a line of its own. */
function kindOf({ type, amount, late }: Statement["lines"][number]): string {
  const kind = type === "payment" && amount < 0 ? words.reversed : words.kinds[type];
  return late ? words.late(kind) : kind;
}
