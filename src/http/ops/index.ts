import { type Context, Hono } from "hono";
import { toServiceError } from "../../core/errors.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, plainError } from "../error-response.ts";
import { bankRoutes } from "./bank.ts";
import { ledgerRoutes } from "./ledger.ts";
import { requireOperator } from "./operator-auth.ts";
import { notificationRoutes } from "./webhooks.ts";

/** `/ops/…`: for operators only, authenticated by the bearer token in the Worker's secrets. Real HTTP statuses. */
export function opsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use("/ops/*", requireOperator);
  app.onError(answerFailure);
  for (const routes of [ledgerRoutes(), bankRoutes(), notificationRoutes()]) {
    routes.onError(answerFailure);
    app.route("/", routes);
  }
  return app;
}

/** An error with its real HTTP status. It includes the upstream's message, which operators need. */
function answerFailure(thrown: Error, context: Context<AppEnv>): Response {
  logUnexpected(thrown, context);
  const error = toServiceError(thrown);
  if (error.kind === "invalid_input") return plainError(context, 400, error.message);
  if (error.kind === "upstream_failed")
    return plainError(context, error.code === null ? 502 : 404, `The ${error.upstream} says: ${error.message}`);
  if (error.kind === "upstream_timeout") return plainError(context, 502, `The ${error.upstream} did not answer in time. Try again.`);
  return plainError(context, 500, "Something failed on our side.");
}
