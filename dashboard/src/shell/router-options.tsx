import type { ErrorComponentProps } from "@tanstack/react-router";
import { Failure } from "../shared/failure.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";

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
  defaultNotFoundComponent: () => <NotFound isAlone />,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => <Failure thrown={error} retry={reset} />,
  defaultPendingComponent: PageSkeleton,
};
