import { type Context, Hono } from "hono";
import { toServiceError } from "../../core/errors.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected, methodNotAllowed, plainError } from "../error-response.ts";
import { mountCalls } from "./call.ts";
import { opsCalls } from "./calls/index.ts";
import { describeOps } from "./description.ts";
import { requireOperator, requireRole } from "./operator-auth.ts";
import { OpsRefusal } from "./refusal.ts";

/** `/ops/…`: for operators only. Real HTTP statuses. */
export function opsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use("/ops/*", requireOperator);
  app.onError(answerFailure);
  const calls = mountCalls(opsCalls, (call, context) => requireRole(context.get("roles"), call.role));
  calls.onError(answerFailure);
  app.route("/", calls);
  app.get("/ops/openapi.json", (context) => context.json(describeOps(opsCalls, context.get("deps").settings.apiOrigin)));
  app.all("/ops/openapi.json", methodNotAllowed("GET, HEAD"));
  app.all("/ops/*", (context) => plainError(context, 404, "There is no such call. What there is stands at /ops/openapi.json."));
  return app;
}

/** An error with its real HTTP status. It includes the upstream's message, which operators need. */
function answerFailure(thrown: Error, context: Context<AppEnv>): Response {
  if (thrown instanceof OpsRefusal) return plainError(context, thrown.status, thrown.message);
  logUnexpected(thrown, context);
  const error = toServiceError(thrown);
  switch (error.kind) {
    case "invalid_input":
      return plainError(context, 400, error.message);
    case "upstream_failed":
      if (error.code === null)
        return plainError(context, 502, `The ${error.upstream} is out of reach or out of order. Nothing is half done: try again.`);
      return plainError(context, error.code === "resource_missing" ? 404 : 409, `The ${error.upstream} says: ${error.message}`);
    case "upstream_timeout":
      return plainError(context, 502, `The ${error.upstream} did not answer in time. Nothing is half done: try again.`);
    case "short_link_unavailable":
      return plainError(context, 502, "The link was made, and its short link could not be. Try again: no second link is made.");
    case "operation_in_progress":
      return plainError(context, 409, "The same is being done at this moment. Try again in a few seconds.");
    case "product_damaged":
      return plainError(
        context,
        409,
        "The product's stored values are invalid, so it cannot be sold. Correct it with `products change` first.",
      );
    case "previous_attempt_failed":
      return plainError(context, 409, "The request failed for good: the partner needs a new token.");
    case "key_missing":
    case "key_invalid":
    case "permission_missing":
    case "product_not_found":
    case "product_of_another_partner":
    case "product_not_approved":
    case "mixed_environment":
    case "code_already_exists":
    case "subscription_not_known":
    case "subscription_of_another_partner":
    case "subscription_not_active":
    case "subscription_not_changeable":
    case "payment_not_found":
    case "key_reused_with_different_payload":
    case "internal":
      return plainError(context, 500, "Something failed on our side. The log has it under this X-Request-Id.");
  }
}
