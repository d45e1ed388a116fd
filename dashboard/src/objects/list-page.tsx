import type { ReactNode } from "react";
import type { ListPath } from "../api/paths.ts";
import type { Filter } from "../shared/filters.tsx";
import { Page } from "../shared/page.tsx";
import { ObjectList, type ObjectListOf } from "./object-list.tsx";

const NO_FILTERS: readonly Filter[] = [];
const noFilters = () => NO_FILTERS;

interface More {
  /** Left out: the label of the list. */
  readonly title?: string;
  /** The way to the form of something new. */
  readonly action?: ReactNode;
  /** Filters that only one audience has. */
  readonly useFilters?: () => readonly Filter[];
}

/** The page of a list of objects. */
export function listPage<Path extends ListPath>(
  of: ObjectListOf<Path>,
  about: string,
  { title = of.label, action, useFilters = noFilters }: More = {},
) {
  return function ListPage() {
    return (
      <Page title={title} about={about} actions={action}>
        <ObjectList of={of} action={action} filters={useFilters()} />
      </Page>
    );
  };
}
