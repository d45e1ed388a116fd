import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import type { Column } from "./data-table.tsx";
import { MomentText } from "./moment.tsx";
import { Money } from "./money.tsx";
import { RowLink } from "./row-link.tsx";
import { Status } from "./status.tsx";
import { SecondLine } from "./two-lines.tsx";

type More = Pick<Column<unknown>, "from" | "sortNeeds">;

/** A column of a moment. `sort`: the Worker sorts the list by it, too. */
export const momentColumn = <Name extends string>(
  header: string,
  name: Name,
  { sort = false, none = "–", ...more }: More & { readonly sort?: boolean; readonly none?: string } = {},
): Column<{ readonly [Of in Name]: string | null }> => ({
  header,
  ...more,
  ...(sort && { sort: name }),
  sortBy: (row) => row[name],
  cell: ({ [name]: at }) => (at === null ? none : <MomentText at={at} />),
});

/** A column of amounts, in the currency of their rows. */
export const moneyColumn = <Name extends string>(
  header: string,
  name: Name,
  { sort = false, strong = false, ...more }: More & { readonly sort?: boolean; readonly strong?: boolean } = {},
): Column<{ readonly [Of in Name]: number | null } & { readonly currency: string }> => ({
  header,
  align: "right",
  ...more,
  ...(sort && { sort: name }),
  cell: ({ [name]: amount, currency }) => <Money amount={amount} currency={currency} strong={strong} />,
});

/** A column of the one state of each row. */
export const stateColumn = <Name extends string>(name: Name, more: More = { from: "sm" }): Column<{ readonly [Of in Name]: string }> => ({
  header: texts.common.status,
  ...more,
  sortBy: (row) => row[name],
  cell: ({ [name]: state }) => <Status status={state} />,
});

/** The column of the link to the page of each row, with what says more below it. `label`: as in `RowLink`. */
export const linkColumn = <Row,>(
  header: string,
  pageOf: (row: Row) => string | null,
  textOf: (row: Row) => ReactNode,
  {
    label,
    second,
    ...more
  }: Omit<Column<Row>, "cell" | "header"> & {
    readonly label?: (row: Row) => string;
    readonly second?: (row: Row) => string | null;
  } = {},
): Column<Row> => ({
  header,
  ...more,
  cell(row) {
    const [to, text] = [pageOf(row), textOf(row)];
    return (
      <>
        {to === null ? (
          text
        ) : (
          <RowLink to={to} label={label?.(row)}>
            {text}
          </RowLink>
        )}
        {second !== undefined && <SecondLine text={second(row)} />}
      </>
    );
  },
});
