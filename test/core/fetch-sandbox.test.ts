import { afterEach, expect, it, vi } from "vitest";
import { createTBank } from "../../src/bank/t-bank.ts";
import { CallBudget } from "../../src/core/call-budget.ts";
import { fetchSandbox, SandboxMissing } from "../../src/core/fetch-sandbox.ts";
import { PLAIN_RECEIPT } from "../../src/core/receipts.ts";
import { createProcessor } from "../../src/processor/processor.ts";

afterEach(() => vi.restoreAllMocks());

const ADDRESS = "http://localhost:8788/v1/payment_links";
const lost = new Error("Network connection lost.");
const budget = () => new CallBudget({ now: () => Date.now() }, 25_000);

it("says that nothing answers where the connection fails and fails again", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(lost);
  await expect(fetchSandbox(ADDRESS)).rejects.toMatchObject({ name: "SandboxMissing", origin: "http://localhost:8788", cause: lost });
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("passes on a connection that was lost while the sandbox answers", async () => {
  vi.spyOn(globalThis, "fetch").mockRejectedValueOnce(lost).mockResolvedValueOnce(new Response());
  await expect(fetchSandbox(ADDRESS)).rejects.toBe(lost);
});

it("passes on a request that was given up", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(lost);
  await expect(fetchSandbox(ADDRESS, { signal: AbortSignal.abort() })).rejects.toBe(lost);
  expect(fetched).toHaveBeenCalledTimes(1);
});

it("ends a call at once, and says how to start the sandbox", async () => {
  const send = vi.fn(() => Promise.reject(new SandboxMissing("http://localhost:8788", { cause: lost })));
  const wanted = {
    error: { kind: "upstream_failed", message: "nothing answers at http://localhost:8788: start the sandbox with `npm run sandbox`" },
    sideEffects: "none",
  };
  const processor = createProcessor({
    base: "http://localhost:8788",
    key: "sk_test_1",
    environment: "test",
    send,
    report: () => undefined,
  });
  const call = { key: "k", budget: budget(), wasSent: false };
  await expect(processor.listLinkItems("plink_1", call)).rejects.toMatchObject(wanted);
  const bank = createTBank(
    "http://localhost:8788",
    { terminalKey: "T", password: "p", taxation: "osn", settlementDays: 1, receipt: PLAIN_RECEIPT },
    send,
  );
  await expect(bank.paymentsOf("order", { budget: budget() })).rejects.toMatchObject(wanted);
  expect(send).toHaveBeenCalledTimes(2);
});
