import { Group, LoadingOverlay } from "@mantine/core";
import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { type Column, DataTable, type RowChoice } from "./data-table.tsx";
import { Failure } from "./failure.tsx";
import { PageButtons } from "./page-buttons.tsx";
import { useSearchTexts } from "./search-texts.ts";
import { RowsSkeleton } from "./skeletons.tsx";

/** A page of a list, as a query of it answers. */
interface ListQuery<Row> {
  readonly data: { readonly data: readonly Row[]; readonly next: string | null } | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

interface PagedListProps<Row> {
  readonly label: string;
  readonly query: ListQuery<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly pageOf?: (row: Row) => string | null;
  readonly choice?: RowChoice | undefined;
  /** What stands where there is no row at all. */
  readonly empty: ReactNode;
}

/**
 * One page of a list in a frame, with the way to the next. Only one page is held at a time, however many there are; the cursor stands
 * in the address.
 */
export function PagedList<Row>({ label, query, columns, keyOf, pageOf, choice, empty }: PagedListProps<Row>) {
  const { cursor } = useSearchTexts();
  const { data, error, isPlaceholderData, refetch } = query;
  if (data === undefined) {
    return error ? (
      <Failure thrown={error} retry={() => void refetch()} />
    ) : (
      <div className="card">
        <RowsSkeleton />
      </div>
    );
  }
  const { data: rows, next } = data;
  return (
    <div className="card" style={{ position: "relative" }}>
      <LoadingOverlay visible={isPlaceholderData} overlayProps={{ backgroundOpacity: 0.4 }} />
      {rows.length > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          pageOf={pageOf}
          choice={choice}
          isOfAddress
          isPart={cursor !== undefined || next !== null}
        />
      )}
      {rows.length === 0 && cursor === undefined && next === null && empty}
      {rows.length === 0 && (cursor !== undefined || next !== null) && (
        <Group justify="center" p="lg" c="dimmed" fz="sm">
          {next === null ? texts.list.end : texts.list.noneHere}
        </Group>
      )}
      <PageButtons next={next} />
    </div>
  );
}
