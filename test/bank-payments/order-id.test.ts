import { expect, it } from "vitest";
import { cancellationStartedStep, currentOrderIdNumber, type OpeningRunContext, orderIdOf } from "../../src/bank-payments/order-id.ts";

const run = (steps: readonly string[], fields: object = {}) =>
  ({
    recordId: "01record",
    createdAt: 1,
    stepOutput: (name: string) => (steps.includes(name) ? { bankPaymentIds: [] } : undefined),
    ...fields,
  }) as unknown as OpeningRunContext;

it("goes on to the next id with each cancellation that has started", () => {
  expect(currentOrderIdNumber(run([]))).toBe(1);
  expect(currentOrderIdNumber(run([cancellationStartedStep(1)]))).toBe(2);
  expect(currentOrderIdNumber(run([cancellationStartedStep(1), cancellationStartedStep(2)]))).toBe(3);
  expect(currentOrderIdNumber(run([cancellationStartedStep(2)]))).toBe(1);
});

it("has the code of its cell and 30 hexadecimal characters, other ones for another record, request or number", async () => {
  const ids = await Promise.all([
    orderIdOf(run([]), 1),
    orderIdOf(run([]), 2),
    orderIdOf(run([], { createdAt: 2 }), 1),
    orderIdOf(run([], { recordId: "01other" }), 1),
  ]);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^01[0-9a-f]{30}$/);
  expect(await orderIdOf(run([]), 1)).toBe(ids[0]);
});
