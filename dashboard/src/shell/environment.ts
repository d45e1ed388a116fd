import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { environmentIn } from "../objects/list-query.ts";
import { OF_ENVIRONMENT } from "../shared/address.ts";
import { useSearchTexts } from "../shared/search-texts.ts";
import { rememberEnvironment } from "./remembered-environment.ts";

/** Test data or live data, as the switch in the head says. It stands in the address, so a link to a colleague keeps it. */
export type Environment = "live" | "test";

const withoutOwn = Object.fromEntries(OF_ENVIRONMENT.map((name) => [name, undefined]));

/** The environment of the page, and how to change it. */
export function useEnvironment(): { readonly environment: Environment; readonly change: (environment: Environment) => void } {
  const env = environmentIn(useSearchTexts());
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return {
    environment: env,
    // A page of a list, and an object, belong to the environment that they were asked for.
    change: (next) => {
      rememberEnvironment(next);
      void navigate({ to: listOf(pathname), search: (before: object) => ({ ...before, ...withoutOwn, env: next, cursor: undefined }) });
    },
  };
}

/** The page that lists objects like the one that a page shows; for any other page, itself. */
function listOf(pathname: string): string {
  if (pathname.startsWith("/events/")) return "/webhooks";
  // A request and a confirmation may be of both.
  if (pathname.startsWith("/developers/")) return ".";
  const [, list] = /^(\/[^/]+)\/(?!new$)/.exec(pathname) ?? [];
  return list ?? ".";
}

/** Shows an object in its own environment: a live object must not look like a test one. */
export function useEnvironmentOf(object: { readonly environment: Environment } | undefined): void {
  const env = environmentIn(useSearchTexts());
  const navigate = useNavigate();
  const own = object?.environment;
  useEffect(() => {
    if (own !== undefined && own !== env) void navigate({ to: ".", search: (before: object) => ({ ...before, env: own }), replace: true });
  }, [own, env, navigate]);
}
