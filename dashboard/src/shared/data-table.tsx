import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useState } from "react";
import { texts } from "../texts/index.ts";
import { addressOf } from "./address.ts";
import { useSearchTexts } from "./search-texts.ts";
import { directionOf, directionOfOrder, nextOrder, nextSorting, type Sorting, sortedRows } from "./sorting.ts";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts stand right, so that their digits align. */
  readonly align?: "right";
  /** Left out on narrower screens. */
  readonly from?: "sm" | "md" | "lg";
  /** Lets people sort the whole list by it: the name of the Worker's order, which stands in the address. */
  readonly sort?: string;
  /** The filter without which the order means nothing, such as the currency of an amount, and the words that say so. */
  readonly sortNeeds?: { readonly filter: string; readonly why: string };
  /** Lets people sort the rows of the page by it. */
  readonly sortBy?: (row: Row) => string | number | null;
}

const SIGNS = { none: " ↕", ascending: " ↑", descending: " ↓" } as const;

/** What a person chooses among the rows, by their keys. */
export interface RowChoice {
  readonly chosen: readonly string[];
  readonly choose: (keys: readonly string[], isChosen: boolean) => void;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The page of a row. Its first cell has the link, for the keyboard; a click anywhere in the row leads there too. */
  readonly pageOf?: ((row: Row) => string | null) | undefined;
  /** Left out: rows are not chosen. */
  readonly choice?: RowChoice | undefined;
  /** Whether the rows are one page of many: they are not sorted by themselves then, since the others would stand elsewhere. */
  readonly isPart?: boolean;
}

/** Whether a click means the page of its row, and not a button of it, another tab, or a selected text. */
function isForRow({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const own = target instanceof Element ? target.closest("a, button, input, label") : null;
  if (own !== null && !own.classList.contains("row-link")) return false;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && (own !== null || globalThis.getSelection()?.toString() === "");
}

/** Rows of one kind. Plain elements: a component of the library for each of some thousand cells takes a third of a second. */
export function DataTable<Row>({ label, columns, rows, keyOf, pageOf, choice, isPart = false }: DataTableProps<Row>) {
  const navigate = useNavigate();
  const search = useSearchTexts();
  const { sort: order } = search;
  const setOrder = (wanted: string | undefined) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, sort: wanted, cursor: undefined }), replace: true });
  const [sorted, setSorted] = useState<Sorting | null>(null);
  const sortBy = isPart ? undefined : columns.find(({ header }) => header === sorted?.header)?.sortBy;
  const shown = sorted === null || sortBy === undefined ? rows : sortedRows(rows, sortBy, sorted.isDown);
  return (
    // A region that scrolls sideways must be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-region" tabIndex={0} aria-label={label}>
      <table className="rows" aria-label={label}>
        <thead>
          <tr>
            {choice !== undefined && <ChoiceCell as="th" choice={choice} keys={rows.map(keyOf)} label={texts.list.chooseAll} />}
            {columns.map(({ header, align, from, sort: wanted, sortNeeds, sortBy: canSort }) => {
              const lacks = sortNeeds !== undefined && search[sortNeeds.filter] === undefined;
              const sort = lacks ? undefined : wanted;
              const isSortable = sort !== undefined || (canSort !== undefined && !isPart);
              const direction = sort === undefined ? directionOf(header, sorted) : directionOfOrder(sort, order);
              return (
                <th
                  key={header}
                  className={classOf(align, from)}
                  aria-sort={isSortable ? direction : undefined}
                  title={lacks ? sortNeeds.why : undefined}
                >
                  {isSortable ? (
                    <button
                      type="button"
                      className="sort"
                      onClick={() => (sort === undefined ? setSorted(nextSorting(header, sorted)) : setOrder(nextOrder(sort, order)))}
                    >
                      {header}
                      <span aria-hidden>{SIGNS[direction]}</span>
                    </button>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => {
            const to = pageOf?.(row) ?? null;
            return (
              <tr
                key={keyOf(row)}
                onClick={(event) => {
                  if (to !== null && isForRow(event)) {
                    event.preventDefault();
                    void navigate(addressOf(to));
                  }
                }}
              >
                {choice !== undefined && <ChoiceCell as="td" choice={choice} keys={[keyOf(row)]} label={texts.list.choose(keyOf(row))} />}
                {columns.map(({ header, cell, align, from }) => (
                  <td key={header} className={classOf(align, from)}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface ChoiceCellProps {
  readonly as: "td" | "th";
  readonly choice: RowChoice;
  readonly keys: readonly string[];
  readonly label: string;
}

/** The cell in which a row, or in the head every row of the page, is chosen. Its whole area is the target, for fingers. */
function ChoiceCell({ as: Cell, choice: { chosen, choose }, keys, label }: ChoiceCellProps) {
  return (
    <Cell className="choice">
      <label>
        <input
          type="checkbox"
          aria-label={label}
          checked={keys.every((key) => chosen.includes(key))}
          onChange={(event) => choose(keys, event.currentTarget.checked)}
        />
      </label>
    </Cell>
  );
}

function classOf(align: "right" | undefined, from: "sm" | "md" | "lg" | undefined): string | undefined {
  const names = [align === undefined ? [] : ["right"], from === undefined ? [] : [`from-${from}`]].flat();
  return names.length === 0 ? undefined : names.join(" ");
}
