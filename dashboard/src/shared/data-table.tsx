import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { addressOf } from "./address.ts";
import { SortChoice } from "./sort-choice.tsx";
import type { Sorted } from "./sorting.ts";
import { useSorting } from "./use-sorting.ts";

export interface Column<Row> extends Sorted<Row> {
  readonly cell: (row: Row) => ReactNode;
  /** Amounts stand right, so that their digits align. */
  readonly align?: "right";
  /** Not on narrower screens. A phone shows what begins at `sm` below the row's first text. */
  readonly from?: "sm" | "md" | "lg";
}

const SIGNS = { none: " ↕", ascending: " ↑", descending: " ↓" } as const;

/** What a person chooses among the rows, by their keys. */
export interface RowChoice {
  readonly chosen: readonly string[];
  readonly choose: (keys: readonly string[], isChosen: boolean) => void;
}

export interface DataTableProps<Row> {
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
  /** Whether it is the list of the address: its order stands there. */
  readonly isOfAddress?: boolean;
}

/** Whether a click means the page of its row, and not a button of it, another tab, or a selected text. */
function isForRow({ target, currentTarget, button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  // A dialog of the row stands elsewhere on the page, and its clicks arrive here, too.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  const own = target.closest("a, button, input, label, textarea, select");
  if (own !== null && !own.classList.contains("row-link")) return false;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && (own !== null || globalThis.getSelection()?.toString() === "");
}

/** Rows of one kind. Plain elements: a component of the library for each of some thousand cells takes a third of a second. */
export function DataTable<Row>({ label, columns, rows, keyOf, pageOf, choice, isPart = false, isOfAddress = false }: DataTableProps<Row>) {
  const navigate = useNavigate();
  const { shown, sortable } = useSorting(columns, rows, { isPart, isOfAddress });
  const isPhone = useMediaQuery("screen and (max-width: 48em)", false, { getInitialValueInEffect: false }) ?? false;
  const below = isPhone ? columns.filter(({ from }) => from === "sm") : [];
  const shownFirst = columns.filter(({ from }) => from === undefined);
  const withBelow = below.length === 0 ? undefined : (shownFirst.find(({ align }) => align === undefined) ?? shownFirst[0]);
  return (
    // A region that scrolls sideways must be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-region" tabIndex={0} aria-label={label}>
      {sortable.length > 0 && columns.some(({ from }) => from !== undefined) && <SortChoice sortable={sortable} />}
      <table className="rows" aria-label={label}>
        <thead>
          <tr>
            {choice !== undefined && <ChoiceCell as="th" choice={choice} keys={rows.map(keyOf)} label={texts.list.chooseAll} />}
            {columns.map(({ header, align, from, sortNeeds }) => {
              const sorting = sortable.find((one) => one.header === header);
              return (
                <th
                  key={header}
                  className={classOf(align, from)}
                  aria-sort={sorting?.direction}
                  title={sorting === undefined ? sortNeeds?.why : undefined}
                >
                  {sorting === undefined ? (
                    header
                  ) : (
                    <button type="button" className="sort" onClick={sorting.next}>
                      {header}
                      <span aria-hidden>{SIGNS[sorting.direction]}</span>
                    </button>
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
                {columns.map((column) => (
                  <td key={column.header} className={classOf(column.align, column.from)}>
                    {column.cell(row)}
                    {column === withBelow && <Below columns={below} row={row} />}
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

interface BelowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
}

/** What a phone shows of a row below its first text: each column that has no place beside it, with its name. */
const Below = <Row,>({ columns, row }: BelowProps<Row>) => (
  <div className="below">
    {columns.map(({ header, cell }) => (
      <div key={header} className="below-row">
        <span>{header}</span> {cell(row)}
      </div>
    ))}
  </div>
);

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
