import type { ReactNode } from "react";
import type { Column } from "../shared/data-table.tsx";
import type { Filter } from "../shared/filters.tsx";
import { Page } from "../shared/page.tsx";
import { type ListOf, ObjectList, type Owned } from "./object-list.tsx";

const NO_FILTERS: readonly Filter[] = [];
const noFilters = () => NO_FILTERS;

interface More<Row> {
  /** Left out: the label of the list. */
  readonly title?: string;
  /** The way to the form of something new. */
  readonly action?: ReactNode;
  /** Columns that only one audience has. */
  readonly columns?: readonly Column<Row>[];
  /** Filters that only one audience has. */
  readonly useFilters?: () => readonly Filter[];
}

/** The page of a list of objects. */
export function listPage<Row extends Owned, Answer>(
  of: ListOf<Row, Answer>,
  about: string,
  { title = of.label, action, columns, useFilters = noFilters }: More<Row> = {},
) {
  return function ListPage() {
    return (
      <Page title={title} about={about} actions={action}>
        <ObjectList of={of} action={action} columns={columns} filters={useFilters()} />
      </Page>
    );
  };
}
