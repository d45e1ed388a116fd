import { expect, it } from "vitest";
import { ServiceFailure } from "../../src/core/errors.ts";
import { toWireField, withWireFields } from "../../src/http/wire-fields.ts";

const names = { "items[].productId": "items[].stripe_product_id", intervalCount: "price.interval_count" };

it.each([
  ["items[2].productId", "items[2].stripe_product_id"],
  ["items[12].productId", "items[12].stripe_product_id"],
  ["intervalCount", "price.interval_count"],
  ["createdGte", "created_gte"],
  ["paymentMethodTypes[0]", "payment_method_types[0]"],
  ["items", "items"],
  ["lines[1].taxes[3].rateName", "lines[1].taxes[3].rate_name"],
])("%s is sent as %s", (path, wire) => {
  expect(toWireField(path, names)).toBe(wire);
});

async function failureThrough(failure: unknown): Promise<unknown> {
  return withWireFields(names, () => Promise.reject(failure)).catch((thrown: unknown) => thrown);
}

it("puts the wire's name in a failure, and before the message of a refused input", async () => {
  const cause = new Error("why");
  const refused = new ServiceFailure({ kind: "invalid_input", message: "no", field: "intervalCount" }, { sideEffects: "unknown", cause });
  expect(await failureThrough(refused)).toMatchObject({
    error: { kind: "invalid_input", message: "price.interval_count: no", field: "price.interval_count" },
    sideEffects: "unknown",
    cause,
  });
  const missing = new ServiceFailure({ kind: "product_not_found", productId: "p", field: "items[0].productId" });
  expect(await failureThrough(missing)).toMatchObject({
    error: { kind: "product_not_found", productId: "p", field: "items[0].stripe_product_id" },
  });
  expect(await failureThrough(missing)).not.toHaveProperty("error.message");
});

it("lets pass what names no field, and results", async () => {
  const refused = new ServiceFailure({ kind: "invalid_input", message: "no" });
  expect(await failureThrough(refused)).toBe(refused);
  const unforeseen = new Error("x");
  expect(await failureThrough(unforeseen)).toBe(unforeseen);
  expect(await withWireFields(names, () => Promise.resolve(1))).toBe(1);
});
