import { useNavigate, useSearch } from "@tanstack/react-router";

/** Test data or live data, as the switch in the head says. It stands in the address, so a link to a colleague keeps it. */
export type Environment = "live" | "test";

/** The environment of the page, and how to change it. */
export function useEnvironment(): { readonly environment: Environment; readonly change: (environment: Environment) => void } {
  const { env } = useSearch({ from: "__root__" });
  const navigate = useNavigate();
  return {
    environment: env,
    // A page of a list belongs to the environment that it was asked for.
    change: (next) => void navigate({ to: ".", search: (before) => ({ ...before, env: next, cursor: undefined }) }),
  };
}
