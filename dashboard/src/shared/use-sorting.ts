import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSearchTexts } from "./search-texts.ts";
import { directionOf, nextOrder, orderOf, type Sorted, sortedRows } from "./sorting.ts";

/** A column by which rows can be sorted. */
export interface SortableColumn {
  readonly header: string;
  readonly direction: "none" | "ascending" | "descending";
  /** Sorts by it: down, then up, then as the list comes. */
  readonly next: () => void;
  readonly set: (isDown: boolean) => void;
}

interface Sorting {
  /** Whether the rows are one page of many: they are not sorted by themselves then. */
  readonly isPart: boolean;
  /** Whether it is the list of the address, whose order stands there. Another table forgets its order when it is left. */
  readonly isOfAddress: boolean;
}

/** The rows of a table as a person has sorted them: the whole list by the Worker, or a list of one page by itself. */
export function useSorting<Row>(columns: readonly Sorted<Row>[], rows: readonly Row[], { isPart, isOfAddress }: Sorting) {
  const navigate = useNavigate();
  const search = useSearchTexts();
  const [own, setOwn] = useState<string>();
  const order = isOfAddress ? search.sort : own;
  const setOrder = (wanted: string | undefined) => {
    if (!isOfAddress) setOwn(wanted);
    else void navigate({ to: ".", search: (before: object) => ({ ...before, sort: wanted, cursor: undefined }), replace: true });
  };
  const nameOf = (column: Sorted<Row>) => orderOf(column, { isPart, set: isOfAddress ? search : null });
  const sortable = columns.flatMap((column): SortableColumn[] => {
    const name = nameOf(column);
    if (name === undefined) return [];
    return [
      {
        header: column.header,
        direction: directionOf(name, order),
        next: () => setOrder(nextOrder(name, order)),
        set: (isDown) => setOrder(isDown ? `-${name}` : name),
      },
    ];
  });
  const sorted = columns.find((column) => nameOf(column) === column.header && directionOf(column.header, order) !== "none");
  if (sorted?.sortBy === undefined) return { shown: rows, sortable };
  return { shown: sortedRows(rows, sorted.sortBy, directionOf(sorted.header, order) === "descending"), sortable };
}
