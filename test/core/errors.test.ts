import { expect, it } from "vitest";
import {
  isOutage,
  OUTAGE,
  orUnknown,
  rejectInput,
  type ServiceError,
  ServiceFailure,
  serviceErrorSchema,
  toServiceError,
} from "../../src/core/errors.ts";
import { failureOf } from "../support/failure.ts";

it("has no side effects unless it says so", () => {
  expect(new ServiceFailure({ kind: "internal" })).toMatchObject({ name: "ServiceFailure", message: "internal" });
  expect(new ServiceFailure({ kind: "internal" }).sideEffects).toBe("none");
  expect(new ServiceFailure({ kind: "internal" }, { sideEffects: "unknown" }).sideEffects).toBe("unknown");
});

it("names the field of a refused input where there is one", () => {
  expect(failureOf(() => rejectInput("no"))).toStrictEqual({ kind: "invalid_input", message: "no" });
  expect(failureOf(() => rejectInput("no", "items[0]"))).toEqual({ kind: "invalid_input", message: "no", field: "items[0]" });
});

it("is internal for anything that nobody foresaw", () => {
  expect(toServiceError(new ServiceFailure({ kind: "key_invalid" }))).toEqual({ kind: "key_invalid" });
  for (const thrown of [new Error("sk_live_x"), "text", null]) expect(toServiceError(thrown)).toEqual({ kind: "internal" });
});

const product = { productId: "p", field: "f" };
/** An error of each kind; the compiler holds the table to be complete. */
const ONE_OF_EACH: { readonly [Kind in ServiceError["kind"]]: Omit<Extract<ServiceError, { kind: Kind }>, "kind"> } = {
  invalid_input: { message: "m", field: "f" },
  key_missing: { location: "header", isBearer: true, isElsewhere: false },
  key_invalid: {},
  query_key_missing: { isBearer: false },
  permission_missing: { permission: "p", holder: "agent" },
  environment_missing: { environment: "live" },
  product_not_found: product,
  product_of_another_partner: product,
  product_not_approved: product,
  product_damaged: product,
  mixed_environment: product,
  code_already_exists: { code: "c" },
  subscription_not_known: {},
  subscription_of_another_partner: {},
  subscription_not_active: {},
  subscription_not_changeable: { message: "m" },
  payment_not_found: {},
  key_reused_with_different_payload: {},
  operation_in_progress: {},
  previous_attempt_failed: {},
  short_link_unavailable: {},
  upstream_timeout: { upstream: "processor", terminal: true },
  upstream_failed: { upstream: "bank", code: null, message: "m", terminal: true },
  rate_limited: { message: "m", retryAfter: 60 },
  internal: { terminal: true },
};

it.each(Object.entries(ONE_OF_EACH))("crosses a border as it is: %s", (kind, rest) => {
  expect(serviceErrorSchema.parse({ kind, ...rest })).toEqual({ kind, ...rest });
});

it("crosses in no other form", () => {
  expect(serviceErrorSchema.parse({ kind: "key_missing", location: "body", isBearer: true, isElsewhere: false })).toEqual({
    kind: "key_missing",
    location: "body",
    isBearer: true,
    isElsewhere: false,
  });
  for (const upstream of ["processor", "bank"])
    expect(serviceErrorSchema.safeParse({ kind: "upstream_timeout", upstream }).success).toBe(true);
  expect(serviceErrorSchema.safeParse({ kind: "upstream_timeout", upstream: "" }).success).toBe(false);
  expect(serviceErrorSchema.safeParse({ kind: "internal", terminal: false }).success).toBe(false);
  expect(serviceErrorSchema.safeParse({ kind: "unheard_of" }).success).toBe(false);
});

it("leaves the outcome of an earlier call unknown if the query about it fails, whatever the query's own failure says", async () => {
  const after = (failure: unknown) =>
    orUnknown(() => Promise.reject(failure)).then(
      () => null,
      (thrown: unknown) => thrown,
    );
  const refused = new ServiceFailure({ kind: "upstream_failed", upstream: "bank", code: "7", message: "no" });
  expect(await orUnknown(() => Promise.resolve("found"))).toBe("found");
  expect(await after(refused)).toMatchObject({ error: refused.error, sideEffects: "unknown", cause: refused });
  const unknown = new ServiceFailure({ kind: "internal" }, { sideEffects: "unknown" });
  expect(await after(unknown)).toBe(unknown);
  const other = new Error("a defect");
  expect(await after(other)).toBe(other);
});

it.each<[string, unknown, boolean]>([
  ["no answer in time", new ServiceFailure({ kind: "upstream_timeout", upstream: "bank" }), true],
  ["a failure without a code", new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: null, message: "" }), true],
  ["a refusal", new ServiceFailure({ kind: "upstream_failed", upstream: "processor", code: "7", message: "" }), false],
  ["a failure of ours", new ServiceFailure({ kind: "internal" }), false],
  ["any other error", new Error("a defect"), false],
])("%s is an outage of an upstream: %o, %s", (_what, thrown, wanted) => expect(isOutage(thrown)).toBe(wanted));

it("has words for an upstream that is down, by which callers and cures know it", () =>
  expect(OUTAGE).toBe("is unreachable or not working"));
