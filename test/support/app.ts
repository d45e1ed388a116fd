import { buildServe } from "../../src/app.ts";
import type { Deps } from "../../src/deps.ts";

/** The Worker's entry for requests, with dependencies that a test has changed. */
export function buildApp(deps: Deps): (request: Request, context: ExecutionContext) => Response | Promise<Response> {
  return buildServe(deps);
}
