import { Table } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addressOf } from "./address.ts";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts stand right, so that their digits align. */
  readonly align?: "right";
  readonly width?: number;
  /** Left out on narrower screens. */
  readonly from?: "sm" | "md" | "lg";
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The page of a row. Its first cell has the link, for the keyboard; a click anywhere in the row leads there too. */
  readonly pageOf?: ((row: Row) => string | null) | undefined;
}

/** Rows of one kind. */
export function DataTable<Row>({ label, columns, rows, keyOf, pageOf }: DataTableProps<Row>) {
  const navigate = useNavigate();
  return (
    <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, align, from, width }) => (
              <Table.Th key={header} ta={align} w={{ sm: width }} visibleFrom={from} fz="xs" c="dimmed" fw={600}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const to = pageOf?.(row) ?? null;
            return (
              <Table.Tr
                key={keyOf(row)}
                onClick={(event) => {
                  const isOwn = event.target instanceof Element && event.target.closest("a, button, input") !== null;
                  if (to !== null && !isOwn && globalThis.getSelection()?.toString() === "") void navigate(addressOf(to));
                }}
              >
                {columns.map(({ header, cell, align, from }) => (
                  <Table.Td key={header} ta={align} visibleFrom={from}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
