import { Hono, type NotFoundHandler } from "hono";
import type { AppEnv } from "./context.ts";
import { docsRoutes } from "./docs/index.ts";
import { plainError } from "./error-response.ts";
import { healthRoutes } from "./health.ts";
import { bankIngest } from "./ingest/bank.ts";
import { processorIngest } from "./ingest/processor.ts";
import { creations, v1Routes, withStatuses } from "./v1/index.ts";
import { operations, v2Routes } from "./v2/index.ts";

/** The routes of the API's host: both generations, the events of processor and bank, health, and the documentation. */
export function apiRoutes(): Hono<AppEnv> {
  return (
    new Hono<AppEnv>()
      // A person who opens the API's address in a browser looks for the documentation.
      .get("/", (context) => context.redirect("/docs"))
      .route("/", healthRoutes())
      .route("/", v1Routes())
      .route("/", v2Routes())
      .route("/", processorIngest())
      .route("/", bankIngest())
      .route("/", docsRoutes())
  );
}

/** Answers a request to an address that does not exist. */
export const unknownAddress: NotFoundHandler<AppEnv> = (context) => plainError(context, 404, whereInstead(context.req.path));

/**
 * Says where the operation is if a request came to another path: one with a version in it, or a path of the other
 * generation.
 */
function whereInstead(path: string): string {
  const name = path.split("/").findLast((part) => part !== "");
  const found = [...operations, ...creations, ...withStatuses].find((operation) => operation.name === name);
  if (found === undefined) return "Unknown address. See /docs.";
  return `Unknown address. This operation is at POST ${found.path}.`;
}
