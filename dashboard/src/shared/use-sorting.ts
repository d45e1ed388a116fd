import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSearchTexts } from "./search-texts.ts";
import { directionOf, directionOfOrder, nextOrder, nextSorting, type Sorting, sortedRows } from "./sorting.ts";

/** How people sort by a column. */
export interface Sorted<Row> {
  readonly header: string;
  /** Lets people sort the whole list by it: the name of the Worker's order, which stands in the address. */
  readonly sort?: string;
  /** The filter without which the order means nothing, such as the currency of an amount, and the words that say so. */
  readonly sortNeeds?: { readonly filter: string; readonly why: string };
  /** Lets people sort the rows of the page by it. */
  readonly sortBy?: (row: Row) => string | number | null;
}

/** A column by which rows can be sorted. */
export interface SortableColumn {
  readonly header: string;
  readonly direction: "none" | "ascending" | "descending";
  /** Sorts by it: down, then up, then as the list comes. */
  readonly next: () => void;
  readonly set: (isDown: boolean) => void;
}

/** The rows of a table as a person has sorted them: the whole list by the Worker, in an order that stands in the address, or this page by itself. */
export function useSorting<Row>(columns: readonly Sorted<Row>[], rows: readonly Row[], isPart: boolean) {
  const navigate = useNavigate();
  const search = useSearchTexts();
  const { sort: order } = search;
  const [sorted, setSorted] = useState<Sorting | null>(null);
  // The last choice holds: an order of the whole list ends one of the page, and the other way round.
  const setOrder = (wanted: string | undefined) => {
    setSorted(null);
    void navigate({ to: ".", search: (before: object) => ({ ...before, sort: wanted, cursor: undefined }), replace: true });
  };
  const sortPage = (wanted: Sorting | null) => {
    if (order !== undefined) setOrder(undefined);
    setSorted(wanted);
  };
  const sortBy = isPart ? undefined : columns.find(({ header }) => header === sorted?.header)?.sortBy;
  const sortable = columns.flatMap(({ header, sort, sortNeeds, sortBy: canSort }): SortableColumn[] => {
    if (sort !== undefined && (sortNeeds === undefined || search[sortNeeds.filter] !== undefined))
      return [
        {
          header,
          direction: directionOfOrder(sort, order),
          next: () => setOrder(nextOrder(sort, order)),
          set: (isDown) => setOrder(isDown ? `-${sort}` : sort),
        },
      ];
    if (canSort === undefined || isPart) return [];
    return [
      {
        header,
        direction: directionOf(header, sorted),
        next: () => sortPage(nextSorting(header, sorted)),
        set: (isDown) => sortPage({ header, isDown }),
      },
    ];
  });
  return { shown: sorted === null || sortBy === undefined ? rows : sortedRows(rows, sortBy, sorted.isDown), sortable };
}
