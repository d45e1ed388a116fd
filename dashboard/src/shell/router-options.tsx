import { type AnyRoute, createRoute, type ErrorComponentProps, lazyRouteComponent } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Failure } from "../shared/failure.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";

/** A module with a page, by the name of its export. */
type Pages<Name extends string> = Readonly<Record<Name, () => ReactNode>>;

/** Makes the pages below a route, each of a module that is loaded when it is shown. */
export const pagesBelow =
  <Parent extends AnyRoute>(parent: Parent) =>
  <Path extends string, Name extends string>(path: Path, load: () => Promise<Pages<Name>>, name: Name) =>
    createRoute({ getParentRoute: () => parent, path, component: lazyRouteComponent<Pages<Name>, Name>(load, name) });

/** The search of an address as texts, as they stand there: an order reference of digits is no number. For a router. */
const searchTexts = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>) => {
    const set = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return set.length === 0 ? "" : `?${new URLSearchParams(set).toString()}`;
  },
};

/** What the routers of both applications have. */
export const routerOptions = {
  ...searchTexts,
  scrollRestoration: true,
  // In milliseconds: the page that was left does not stand under another address for longer.
  defaultPendingMs: 150,
  // A page is of its object: what was typed, or answered, about another one does not stay.
  defaultRemountDeps: ({ params }: { readonly params: unknown }) => params,
  defaultNotFoundComponent: () => <NotFound isAlone />,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => <Failure thrown={error} retry={reset} />,
  defaultPendingComponent: PageSkeleton,
};
