import { describe, expect, it } from "vitest";
import { codesOf } from "../../src/http/failures.ts";
import { statusOf } from "../../src/http/v1/errors.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { BANK, CART, CODE, LINK, LIST, LIVE_LINKS, PAYMENT, REGISTER, ROTATE } from "../support/api.ts";

/** The interface's tables of errors, row by row: what each operation may answer, and so what its description says. */
const QUERY = ["INVALID_API_KEY", "PERMISSION_DENIED", "INVALID_INPUT", "INTERNAL_ERROR"];
const CREATION = [...QUERY, "AUTH_REQUIRED"];
const FIRST = ["invalid_input", "unauthorized", "forbidden", "product_not_found", "product_not_approved", "product_data_corrupt"];
const FIRST_CREATION = [...FIRST, "idempotency_conflict", "stripe_error", "internal_error"];
const REUSED = "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD";
const UPSTREAM = ["INTEGRATION_TIMEOUT", "INTEGRATION_UPSTREAM_ERROR"];

const TABLE: Readonly<Record<string, readonly string[]>> = {
  [LINK]: [...FIRST_CREATION, "short_url_unavailable"],
  [CODE]: [...FIRST_CREATION, "mixed_environment", "code_already_exists"],
  [LIST]: QUERY,
  [PAYMENT]: [...QUERY, "PAYMENT_NOT_FOUND"],
  // Of these the interface lists two for the query without parameters; a body that is no JSON, and our own failures, need words too.
  [LIVE_LINKS]: QUERY,
  [CART]: [
    ...CREATION,
    ...UPSTREAM,
    REUSED,
    "PRODUCT_NOT_FOUND",
    "PRODUCT_NOT_APPROVED",
    "CROSS_TENANT_ATTEMPT",
    "PREVIOUS_ATTEMPT_FAILED",
    "OPERATION_IN_PROGRESS",
    "SHORT_URL_UNAVAILABLE",
  ],
  [BANK]: [...CREATION, ...UPSTREAM, REUSED, "PRODUCT_NOT_FOUND", "OPERATION_IN_PROGRESS"],
  [REGISTER]: [...CREATION, REUSED],
  [ROTATE]: [...CREATION, REUSED, "PREVIOUS_ATTEMPT_FAILED", "OPERATION_IN_PROGRESS"],
};

// interface G.2, T.5
describe("an operation can fail by the codes of its rows in the interface, and by no others", () => {
  // interface E.2, E.3, E.6, E.7, E.8
  it.each([...operations, ...creations])("$name", (operation) => {
    expect(codesOf(operation).toSorted()).toEqual(TABLE[operation.name]?.toSorted());
  });

  it.each([
    ["get-processor-objects", [400, 401, 403, 500]],
    ["cancel_subscription_at_period_end", [400, 401, 403, 409, 500, 502]],
  ])("%s, by its statuses", (name, statuses) => {
    const operation = withStatuses.find((candidate) => candidate.name === name);
    expect([...new Set(operation?.failures.map(statusOf))].toSorted((left, right) => left - right)).toEqual(statuses);
  });
});
