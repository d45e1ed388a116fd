import { api } from "../api/client.ts";
import { statementColumns } from "../objects/statements/columns.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Card } from "../shared/page.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
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
          columns={statementColumns((row, text) => <RowLink to={pageOf(row)}>{text}</RowLink>)}
        />
      )}
    </Card>
  );
}
