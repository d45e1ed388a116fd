import { expect, it } from "vitest";
import { misfitOf } from "../../sandbox/bank/shapes.ts";
import { BANK, bankCart, call } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { HOUR, pass, realTime } from "../support/later.ts";
import { bankCalls, control, objects, SANDBOX } from "../support/stack.ts";

/** Every call of the Worker and every answer of the sandbox fits the bank's document. */

it("holds for a payment that is opened, asked for, lost, cancelled and paid", async () => {
  await control("/reset", {});
  await control("/faults", { target: "bank", call: "bank.Init", times: 1, kind: "reset_after" });
  expect((await call(BANK, bankCart())).body).toMatchObject({ success: true });
  pass(HOUR);
  await cron();
  realTime();
  const calls = await bankCalls();
  const names = calls.map(({ path }) => path.replace("/v2/", ""));
  expect(new Set(names)).toEqual(new Set(["Init", "CheckOrder", "Cancel", "GetQr", "GetState"]));
  const misfits = calls.map(({ body }, index) => [names[index], misfitOf(names[index] ?? "", "request", JSON.parse(body))]);
  expect(misfits.filter(([, misfit]) => misfit !== null)).toEqual([]);

  for (const [index, { body }] of calls.entries()) {
    const name = names[index] ?? "";
    if (name === "Init" || name === "Cancel") continue;
    const answer = await fetch(`${SANDBOX}/v2/${name}`, { method: "POST", body });
    expect([name, misfitOf(name, "response", await answer.json())]).toEqual([name, null]);
  }
  expect(new Set((await objects("bank_payments")).map(({ status }) => String(status)))).toEqual(new Set(["CANCELED", "NEW"]));
});

it.each([
  ["Init", { TerminalKey: "t", Token: "t", Amount: "100", OrderId: "o" }, "#/Amount"],
  ["Init", { TerminalKey: "t", Token: "t", Amount: 100 }, "#"],
  ["GetQr", { TerminalKey: "t", Token: "t", PaymentId: "1" }, "#/PaymentId"],
  ["GetState", { TerminalKey: "t", Token: "t", PaymentId: 1 }, "#/PaymentId"],
])("differs from what does not: %s %j", (name, message, path) => {
  expect(misfitOf(name, "request", message)).toBe(path);
});
