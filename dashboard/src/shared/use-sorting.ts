import { useNavigate } from "@tanstack/react-router";
import { useSearchTexts } from "./search-texts.ts";
import { directionOf, nextOrder, sortedRows } from "./sorting.ts";

/** How people sort by a column. */
export interface Sorted<Row> {
  readonly header: string;
  /** Lets people sort the whole list by it: the name of the Worker's order, which stands in the address. */
  readonly sort?: string;
  /** The filter without which the order means nothing, such as the currency of an amount, and the words that say so. */
  readonly sortNeeds?: { readonly filter: string; readonly why: string };
  /** Lets people sort a list that is one page by it, in an order by the name of its header. */
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

/** The rows of a table as a person has sorted them: the whole list by the Worker, or a list of one page by itself. The order stands in the address. */
export function useSorting<Row>(columns: readonly Sorted<Row>[], rows: readonly Row[], isPart: boolean) {
  const navigate = useNavigate();
  const search = useSearchTexts();
  const { sort: order } = search;
  const setOrder = (wanted: string | undefined) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, sort: wanted, cursor: undefined }), replace: true });
  const ofWorker = ({ sort, sortNeeds }: Sorted<Row>) =>
    sortNeeds === undefined || search[sortNeeds.filter] !== undefined ? sort : undefined;
  const sortable = columns.flatMap((column): SortableColumn[] => {
    const { header, sortBy } = column;
    const name = ofWorker(column) ?? (sortBy === undefined || isPart ? undefined : header);
    if (name === undefined) return [];
    return [
      {
        header,
        direction: directionOf(name, order),
        next: () => setOrder(nextOrder(name, order)),
        set: (isDown) => setOrder(isDown ? `-${name}` : name),
      },
    ];
  });
  const sorted = columns.find((column) => ofWorker(column) === undefined && directionOf(column.header, order) !== "none");
  const isHere = sorted?.sortBy !== undefined && !isPart;
  return { shown: isHere ? sortedRows(rows, sorted.sortBy, directionOf(sorted.header, order) === "descending") : rows, sortable };
}
