import type { ReactNode } from "react";
import { audience } from "../../api/audience.ts";
import type { AnswerOf } from "../../api/paths.ts";
import { Copied } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { useIdInPath, useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { environmentIn } from "../list-query.ts";
import { NotThere, ObjectPage } from "../object-page.tsx";
import { kindOf, type Movement } from "./words.ts";

const { payments: words } = texts;
const BACK = { to: "/payments", label: words.title };

type Totals = AnswerOf<"/partner/payments">["totals"];

/** What the payment's page needs besides: the environment that its movements are in. */
interface PaymentDetailProps {
  /** Of the list that the payment is looked for in; left out: of both. */
  readonly environment?: "live" | "test";
  readonly actions: (environment: "live" | "test") => ReactNode;
  /** What only one audience has of a payment. */
  readonly children: (payment: string) => ReactNode;
}

/** One payment: its facts, its transactions and its story. */
export function PaymentDetail({ environment, actions, children }: PaymentDetailProps) {
  const payment = useIdInPath("payment");
  const { api, ownerFacts, Notes, Story } = audience();
  // A payment that is not in the ledger yet is of the environment that the address says.
  const unknown = environmentIn(useSearchTexts());
  const { data, error, refetch } = api.useQuery("get", "/partner/payments", { params: { query: { environment, payment, limit: 100 } } });
  if (data === undefined) return <NotThere title={payment} back={BACK} error={error} retry={() => void refetch()} />;
  const { totals } = data;
  // The newest come first; within a payment people read from the beginning.
  const movements = data.data.toReversed();
  const first = movements.find(({ id }) => id === totals?.movement_id) ?? movements[0];
  return (
    <ObjectPage
      back={BACK}
      title={first === undefined ? payment : words.titleOf(moneyText(first.amount, first.currency))}
      state={first === undefined ? null : (totals?.state ?? first.status)}
      id={payment}
      what={words.id}
      actions={actions(first?.environment ?? environment ?? unknown)}
    >
      {first === undefined ? (
        <Card>
          <Empty title={words.noMovement} />
        </Card>
      ) : (
        <>
          <Card title={words.facts}>
            <Facts facts={[...ownerFacts(first), ...factsOf(first, totals)]} />
          </Card>
          <Card title={words.movements}>
            <DataTable
              label={words.movements}
              rows={movements}
              keyOf={(row) => row.id}
              columns={[
                { header: words.kind, cell: kindOf },
                { header: words.status, cell: (row) => <Status status={row.status} /> },
                { header: words.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
                { header: words.fee, align: "right", from: "sm", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
                {
                  header: words.net,
                  align: "right",
                  from: "sm",
                  cell: (row) => <Money amount={row.net_amount} currency={row.currency} />,
                },
                { header: words.date, from: "sm", cell: (row) => <MomentText at={row.transaction_date} /> },
              ]}
            />
          </Card>
        </>
      )}
      <Notes target={payment} />
      <Story query={payment} />
      {children(payment)}
    </ObjectPage>
  );
}

/** An amount that is left out where there is none. */
const amountIn = (amount: number | null | undefined, currency: string, key: string) =>
  amount === null || amount === undefined || amount === 0 ? null : (
    <Money key={key} amount={amount} currency={currency} strong={key === "kept"} />
  );

function factsOf(first: Movement, totals: Totals) {
  const isCharged = first.charged_amount !== null && first.charged_currency !== null && first.charged_currency !== first.currency;
  return [
    [totals?.is_paid === false ? words.date : words.paidAt, <MomentWithUtc key="at" at={first.transaction_date} />],
    [words.order, first.client_reference_id === null ? null : <Copied key="order" value={first.client_reference_id} what={words.order} />],
    [words.gross, <Money key="gross" amount={first.amount} currency={first.currency} />],
    [words.fee, <Money key="fee" amount={totals?.fee ?? null} currency={first.currency} />],
    [words.refunded, amountIn(totals?.refunded, first.currency, "refunded")],
    [words.disputed, amountIn(totals?.disputed, first.currency, "disputed")],
    [words.kept, amountIn(totals?.net, first.currency, "kept")],
    [words.charged, isCharged ? <Money key="charged" amount={first.charged_amount} currency={first.charged_currency ?? ""} /> : null],
    [words.link, first.payment_link_id === null ? null : <ObjectLink key="link" id={first.payment_link_id} />],
    [words.subscription, first.subscription_id === null ? null : <ObjectLink key="subscription" id={first.subscription_id} />],
    [words.description, first.description],
  ] as const;
}
