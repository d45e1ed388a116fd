import { api } from "../api/client.ts";
import { statementColumns } from "../objects/statements/columns.tsx";
import { Card } from "../shared/page.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { TableCard } from "../shared/table-card.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { statements: words } = texts;

const pageOf = ({ id }: { readonly id: string }): string => `/balance/statements/${id}`;

/** The statements of live data, newest month first. Test data has none. */
export function Statements() {
  const { environment } = useEnvironment();
  const query = api.useQuery("get", "/partner/statements", {}, { enabled: environment === "live" });
  if (environment === "test") return <Card title={words.title}>{words.liveOnly}</Card>;
  return (
    <TableCard
      title={words.title}
      query={query}
      none={{ title: words.none, next: words.noneNext }}
      keyOf={({ id }) => id}
      pageOf={pageOf}
      columns={statementColumns((row, text) => <RowLink to={pageOf(row)}>{text}</RowLink>)}
    />
  );
}
