import type { Deps } from "../../deps.ts";
import { workflows } from "../../runners/workflows.ts";

/** The operations with client idempotency keys. */
export const keyedOperations = [...workflows.values()].filter(({ operation }) => operation !== "first-link");

/** What finding and telling a story needs. */
export const storyDeps = (deps: Deps) => ({ ...deps, keyedOperations });
