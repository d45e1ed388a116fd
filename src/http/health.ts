import { Hono } from "hono";
import { SECOND } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import type { Deps } from "../deps.ts";
import { isHealthy } from "../health/check.ts";
import type { AppEnv } from "./context.ts";
import { methodNotAllowed } from "./error-response.ts";
import { healthOf } from "./ops/calls/health.ts";
import { requireOperator } from "./ops/operator-auth.ts";

const PATH = "/health";

/** The check is public, so the databases are only asked again after this time. */
const REMEMBERED = 10 * SECOND;

/**
 * `GET /health`: `ok` or `failed` for the public, with 200 or 503; for operators the whole result, as `/ops/health`.
 */
export function healthRoutes(): Hono<AppEnv> {
  const remembered = new Remembered();
  return new Hono<AppEnv>()
    .get(PATH, async (context, next) => {
      // A caller without credentials gets the public answer, not an operator's refusal.
      if (context.req.header("Authorization") !== undefined) return next();
      const isOk = await remembered.isHealthy(context.get("deps"));
      context.header("X-Worker-Version", context.get("deps").version);
      return context.json({ status: isOk ? "ok" : "failed" }, isOk ? 200 : 503);
    })
    .get(PATH, requireOperator, async (context) => {
      const health = await healthOf(context.get("deps").answeringPartly());
      return context.json(health, health.success ? 200 : 503);
    })
    .all(PATH, methodNotAllowed("GET, HEAD"));
}

class Remembered {
  #until = 0;
  #isHealthy = false;

  async isHealthy(deps: Deps): Promise<boolean> {
    if (deps.clock.now() < this.#until) return this.#isHealthy;
    this.#isHealthy = await isHealthy(deps).catch((thrown: unknown) => {
      deps.log.error("the service is not healthy", errorFields(thrown));
      return false;
    });
    this.#until = deps.clock.now() + REMEMBERED;
    return this.#isHealthy;
  }
}
