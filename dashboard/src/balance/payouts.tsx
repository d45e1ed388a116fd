import { api } from "../api/client.ts";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Money } from "../shared/money.tsx";
import { Card } from "../shared/page.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts/index.ts";

const { payouts: words } = texts;

/** What was paid out, newest first: at most as many as an answer has. */
export function Payouts() {
  const { data, error, refetch } = api.useQuery("get", "/partner/payouts", { params: { query: { limit: 100 } } });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  return (
    <Card title={words.title}>
      {data.data.length === 0 ? (
        <Empty title={words.none} next={words.noneNext} />
      ) : (
        <DataTable
          label={words.title}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            { header: words.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
            { header: words.state, cell: (row) => <Status status={row.state} /> },
            { header: words.date, cell: (row) => row.date },
            { header: words.reference, from: "sm", cell: (row) => <span className="clamped">{row.bank_reference}</span> },
            { header: words.reason, from: "md", cell: (row) => row.reason ?? "–" },
          ]}
        />
      )}
    </Card>
  );
}
