import type { Context } from "hono";
import { ChangedByAnother } from "../../catalogue/admin/products.ts";
import { type ServiceError, toServiceError } from "../../core/errors.ts";
import { isPartnerMovedError } from "../../core/partner-moved.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { logUnexpected } from "../error-response.ts";

interface OpsFailure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 502;
  readonly message: string;
}

const refused = (message: string): OpsFailure => ({ status: 409, message });
const outOfReach = (message: string): OpsFailure => ({ status: 502, message });

/** The answer to operators for a failed call: the real HTTP status, and the upstream's message, which they need. */
export function statusAndMessageOf(thrown: unknown, context: Context<AppEnv>): OpsFailure {
  if (thrown instanceof CallRefusal) return { status: thrown.status, message: thrown.message };
  if (isPartnerMovedError(thrown)) return refused("The partner's data is being moved to another cell, which takes seconds. Try again.");
  if (thrown instanceof ChangedByAnother) return refused("Another operator has just changed it. Read it again.");
  logUnexpected(thrown, context);
  return failureOf(toServiceError(thrown), context.get("requestId"));
}

function failureOf(error: ServiceError, requestId: string): OpsFailure {
  switch (error.kind) {
    case "invalid_input":
      return { status: 400, message: error.message };
    case "upstream_failed":
      if (error.code === null)
        return outOfReach(`The ${error.upstream} is unreachable or not working. Try again: nothing is created twice.`);
      return { status: error.code === "resource_missing" ? 404 : 409, message: `The ${error.upstream} says: ${error.message}` };
    case "upstream_timeout":
      return outOfReach(`The ${error.upstream} did not answer in time. Try again: nothing is created twice.`);
    case "short_link_unavailable":
      return outOfReach("The link was created, but its short link was not. Try again: no second link is created.");
    case "operation_in_progress":
      return refused("The same call is already running. Try again in a few seconds.");
    case "product_damaged":
      return refused("The product's stored values are invalid, so it cannot be sold. Correct it with `products change` first.");
    case "previous_attempt_failed":
      return refused("The request failed permanently: the partner needs a new token.");
    case "rate_limited":
      return { status: 429, message: error.message };
    case "key_missing":
    case "key_invalid":
    case "query_key_missing":
    case "permission_missing":
    case "environment_missing":
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
      return { status: 500, message: `Something failed on our side. Its log lines have the request id ${requestId}.` };
  }
}
