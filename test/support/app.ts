import { buildServe } from "../../src/app.ts";
import type { Deps } from "../../src/deps.ts";
import { followFirst } from "../../src/http/short-domain/follow-first.ts";

/** The Worker's entry for requests, with dependencies that a test has changed. */
export function buildApp(deps: Deps): (request: Request, context: ExecutionContext) => Response | Promise<Response> {
  return followFirst(deps, buildServe(deps));
}
