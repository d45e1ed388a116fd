import { Group } from "@mantine/core";
import { api } from "../api/client.ts";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Money } from "../shared/money.tsx";
import { monthText } from "../shared/month-text.ts";
import { Card } from "../shared/page.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { statements: words } = texts;

const pageOf = ({ id }: { readonly id: string }): string => `/balance/statements/${id}`;

/** The statements of live data, newest month first. Test data has none. */
export function Statements() {
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/statements", {}, { enabled: environment === "live" });
  if (environment === "test") return <Card title={words.title}>{words.liveOnly}</Card>;
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
          pageOf={pageOf}
          columns={[
            {
              header: words.month,
              cell: (row) => (
                <Group gap="xs">
                  <RowLink to={pageOf(row)}>{`${monthText(row.month)}, ${row.currency}`}</RowLink>
                  <Status status={row.state === "open" ? "current" : "closed"} />
                </Group>
              ),
            },
            { header: words.number, from: "md", cell: (row) => row.number ?? "–" },
            { header: words.opening, align: "right", from: "md", cell: (row) => <Money amount={row.opening} currency={row.currency} /> },
            { header: words.payments, align: "right", from: "sm", cell: (row) => <Money amount={row.payments} currency={row.currency} /> },
            { header: words.payouts, align: "right", from: "sm", cell: (row) => <Money amount={row.payouts} currency={row.currency} /> },
            { header: words.closing, align: "right", cell: (row) => <Money amount={row.closing} currency={row.currency} strong /> },
          ]}
        />
      )}
    </Card>
  );
}
