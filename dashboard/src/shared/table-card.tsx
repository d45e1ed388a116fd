import type { ReactNode } from "react";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { Empty, type EmptyProps } from "./empty.tsx";
import { Failure } from "./failure.tsx";
import { Card, Note } from "./page.tsx";
import { RowsSkeleton } from "./skeletons.tsx";

interface TableCardProps<Row> extends Omit<DataTableProps<Row>, "label" | "rows"> {
  readonly title: string;
  readonly about?: string | undefined;
  readonly actions?: ReactNode;
  /** Where the rows come from, if the card asks for them alone. */
  readonly query?: {
    readonly data: { readonly data: readonly Row[] } | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly rows?: readonly Row[] | undefined;
  /** What stands where there is no row; left out: no card. */
  readonly none?: EmptyProps;
  /** What stands below the table. */
  readonly children?: ReactNode;
}

/** Rows in a card of their own: on their way, not there, none, or a table. */
export function TableCard<Row>({ title, about, actions, query, rows = query?.data?.data, none, children, ...table }: TableCardProps<Row>) {
  if (rows?.length === 0 && none === undefined) return null;
  return (
    <Card title={title} actions={actions}>
      {about !== undefined && <Note>{about}</Note>}
      {query?.error != null && <Failure thrown={query.error} retry={() => void query.refetch()} />}
      {rows === undefined && query?.error == null && <RowsSkeleton />}
      {rows?.length === 0 && none !== undefined && <Empty {...none} />}
      {rows !== undefined && rows.length > 0 && <DataTable {...table} label={title} rows={rows} />}
      {children}
    </Card>
  );
}
