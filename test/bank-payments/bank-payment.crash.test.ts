import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bankPayments, idempotencyRecords, rubleProducts } from "../../src/db/schema/index.ts";
import { KeyRunner } from "../../src/idempotency/runner.ts";
import { workflows } from "../../src/runners/workflows.ts";
import { BANK, bankCart, call, send } from "../support/api.ts";
import { CELL, cellDeps } from "../support/cells.ts";
import { crashAt, effectsOf, failD1At } from "../support/crash.ts";
import { cron } from "../support/cron.ts";
import { inject, LASTING, PASSING } from "../support/faults.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { changeObject, copyObject } from "../support/objects.ts";
import { aroundEffects, type Effect, objectAtWork, resetEffects } from "../support/observe.ts";
import { someOf } from "../support/scale.ts";
import { bankCalls, control, objects, settled } from "../support/stack.ts";
import { rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(async () => {
  await control("/reset", {});
  await env.CELL_1.batch(
    ["bank_notifications", "bank_payments", "idempotency_records"].map((table) => env.CELL_1.prepare(`DELETE FROM ${table}`)),
  );
});
afterEach(() => {
  resetEffects();
  realTime();
});

/** What the object does for a new payment, in order: the places at which it can be cut off. */
const STEPS: readonly (readonly [Effect, string])[] = [
  ["d1", "opening the record"],
  ["bank", "opening the payment"],
  ["d1", "storing the payment"],
  ["bank", "asking for its fast-payment link"],
  ["d1", "storing the result"],
];

/** Opening, refused by a lost answer, asking, noting, cancelling, storing that, and then as ever. */
const TAKING_BACK: readonly Effect[] = ["d1", "bank", "bank", "d1", "bank", "d1", "bank", "d1", "bank", "d1"];

async function lostOnce(): Promise<void> {
  await control("/faults", { target: "bank", call: "bank.Init", kind: "reset_after", times: 1 });
}

/**
 * One payment that can be paid, wherever one looks: at the bank, in its own rows, and in the answer. Whatever else the
 * bank was made to open has ended before anybody could learn where to pay it.
 */
async function expectOneOfEverything(answer: Record<string, unknown>): Promise<void> {
  await settled();
  const held = await objects("bank_payments");
  expect(held.filter(({ status }) => status !== "CANCELED")).toMatchObject([{ order_id: answer.order_id, status: "NEW", amount: 300_000 }]);
  const rows = await env.CELL_1.prepare("SELECT id, order_id, sbp_url, payment_url FROM bank_payments WHERE status = 'NEW'").all();
  expect(rows.results).toEqual([
    { id: answer.payment_id, order_id: answer.order_id, sbp_url: answer.sbp_url, payment_url: answer.payment_url },
  ]);
  const [paid] = await rowsOf(bankPayments, { status: "NEW" });
  expect(JSON.parse(paid?.items)).toMatchObject([{ amount: 50_000 }, { amount: 250_000 }]);
  const others = await env.CELL_1.prepare("SELECT order_id, status FROM bank_payments WHERE status <> 'NEW'").all();
  expect(others.results).toHaveLength(held.length - 1);
  for (const other of others.results) expect(other).toMatchObject({ status: "CANCELED" });
  const problems = await env.CELL_1.prepare("SELECT * FROM bank_notifications WHERE problem IS NOT NULL").all();
  expect(problems.results).toEqual([]);
}

it("has these steps and no other", async () => {
  expect(await effectsOf(() => call(BANK, bankCart()))).toEqual(STEPS.map(([effect]) => effect));
});

describe.each(["before", "after"] as const)("the object is aborted %s", (moment) => {
  it.each(someOf(STEPS.map(([effect, what], step) => [what, effect, step] as const)))(
    "%s: one of everything",
    async (_what, effect, step) => {
      const body = bankCart();
      const injected = crashAt(step, moment);
      const first = await call(BANK, body);
      expect([injected.crashed(), injected.reached.at(-1)]).toEqual([true, effect]);
      resetEffects();

      // The caller notices nothing: the Worker asks a new object, which goes on where the old one was cut off.
      expect(first.body).toMatchObject({ success: true, duplicate: false, amount_kopecks: 300_000 });
      expect((await call(BANK, body)).body).toEqual({ ...first.body, duplicate: true });
      await expectOneOfEverything(first.body);
    },
  );

  it.each(someOf(STEPS.map(([, what], step) => [what, step] as const)))(
    // interface T.6
    "%s, and once more when it resumes: the next request, or the cron, finishes it",
    async (_what, step) => {
      const body = bankCart();
      crashAt(step, moment, 2);
      const first = await call(BANK, body);
      resetEffects();
      if (first.body.success !== true) {
        expect(first.body).toMatchObject({ error_code: "INTERNAL_ERROR" });
        if (step % 2 === 0) {
          pass(3 * MINUTE);
          await cron.sweep("unfinished_operations");
        }
      }
      const second = await call(BANK, body);
      expect(second.body).toMatchObject({ success: true });
      await expectOneOfEverything(second.body);
    },
  );
});

describe("while it takes back a payment whose address was lost", () => {
  it("has these steps and no other", async () => {
    await lostOnce();
    expect(await effectsOf(() => call(BANK, bankCart()))).toEqual(TAKING_BACK);
  });

  it.each(someOf(TAKING_BACK.flatMap((effect, step) => [[effect, step, "before"] as const, [effect, step, "after"] as const])))(
    "is aborted at its %s, step %i, %s: one of everything",
    async (_effect, step, moment) => {
      await lostOnce();
      const body = bankCart();
      const injected = crashAt(step, moment);
      const first = await call(BANK, body);
      expect(injected.crashed()).toBe(true);
      resetEffects();
      await control("/faults", undefined, "DELETE");
      expect(first.body).toMatchObject({ success: true, duplicate: false });
      await expectOneOfEverything(first.body);
    },
  );
});

describe.each(["refused", "answer lost"] as const)("a round trip to D1 fails, %s", (how) => {
  const ROUND_TRIPS = STEPS.filter(([effect]) => effect === "d1").map(([, what], step) => [what, step] as const);

  it.each(someOf(ROUND_TRIPS))("%s: made good by this request or the next", async (_what, step) => {
    const body = bankCart();
    const injected = failD1At(step, how);
    const first = await call(BANK, body);
    expect(injected.failed()).toBe(true);
    resetEffects();
    if (first.body.success !== true) expect(first.body).toMatchObject({ error_code: "INTERNAL_ERROR" });
    const second = await call(BANK, body);
    expect(second.body).toMatchObject({ success: true });
    await expectOneOfEverything(second.body);
  });
});

it("writes nothing of the buyer, the addresses or the passwords into the log, whatever fails", async () => {
  const lines: string[] = [];
  const spies = (["log", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line))),
  );
  const body = () => bankCart({ customer_phone: "+79031234567", success_url: "https://shop.example/secret" });
  virtualTime();
  for (let step = 0; step < 3; step += 1) {
    failD1At(step, "refused");
    await call(BANK, body());
    resetEffects();
  }
  for (const kind of ["http_500", "reset_after", "bank_error", "http_400"]) {
    await control("/faults", { target: "bank", call: "bank.Init", kind, times: 4, error_code: "204" });
    await control("/faults", { target: "bank", call: "bank.GetQr", kind, times: 4 });
    await call(BANK, body());
    await control("/faults", undefined, "DELETE");
  }
  const made = (await call(BANK, body())).body;
  await send("/ingest/bank", { method: "POST", body: "{}" });
  for (const spy of spies) spy.mockRestore();
  const log = lines.join("\n");
  expect(lines.filter((line) => line.includes("operation failed")).length).toBeGreaterThan(4);
  for (const secret of ["buyer@", "79031234567", "/bank/pay/", "/bank/sbp/", "shop.example", "sandbox-password", made.payment_url]) {
    expect(log).not.toContain(secret);
  }
});

// interface T.5
describe("bank.Init", () => {
  it.each(someOf(PASSING))("$what: recovered within the request", async (fault) => {
    virtualTime();
    await inject("bank.Init", fault);
    const body = bankCart();
    const made = await call(BANK, body);
    expect(made.body).toMatchObject({ success: true, duplicate: false });
    expect((await call(BANK, body)).body).toEqual({ ...made.body, duplicate: true });
    await expectOneOfEverything(made.body);
  });

  // interface T.5
  it.each(someOf(LASTING))("$what: an error, nothing that can be paid, and the same token or a new one makes it once", async (fault) => {
    virtualTime();
    await inject("bank.Init", fault);
    const body = bankCart();
    const failed = await call(BANK, body);
    expect(failed.body).toMatchObject({
      success: false,
      error_code: fault.kind === "timeout" ? "INTEGRATION_TIMEOUT" : "INTEGRATION_UPSTREAM_ERROR",
    });
    expect((await bankCalls()).filter(({ path }) => path === "/v2/Init").length).toBeLessThanOrEqual(4);
    await control("/faults", undefined, "DELETE");
    const made = await call(BANK, body);
    expect(made.body).toMatchObject({ success: true, duplicate: false });
    expect((await call(BANK, body)).body).toEqual({ ...made.body, duplicate: true });
    await expectOneOfEverything(made.body);
    expect((await call(BANK, bankCart())).body).toMatchObject({ success: true, duplicate: false });
  });

  it("asks the bank before it says that it does not know", async () => {
    virtualTime();
    await inject("bank.Init", { what: "", kind: "timeout", times: 99, more: { ms: 26_000 } });
    await call(BANK, bankCart());
    expect((await bankCalls()).map(({ path }) => path)).toEqual(expect.arrayContaining(["/v2/CheckOrder", "/v2/Cancel"]));
    expect((await objects("bank_payments")).filter(({ status }) => status !== "CANCELED")).toEqual([]);
  });

  it("says that it does not know where the bank cannot be asked either, and asks first the next time", async () => {
    virtualTime();
    await inject("bank.Init", { what: "", kind: "reset_after", times: 1, more: {} });
    await inject("bank.CheckOrder", { what: "", kind: "reset", times: 99, more: {} });
    const body = bankCart();
    expect((await call(BANK, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    expect(await objects("bank_payments")).toMatchObject([{ status: "NEW" }]);
    await control("/faults", undefined, "DELETE");
    const before = (await bankCalls()).length;
    const made = await call(BANK, body);
    const paths = (await bankCalls()).slice(before).map(({ path }) => path);
    expect(paths).toEqual(["/v2/CheckOrder", "/v2/Cancel", "/v2/CheckOrder", "/v2/Init", "/v2/GetQr"]);
    await expectOneOfEverything(made.body);
  });

  it.each([
    ["the receipt", "308"],
    ["the amount", "251"],
    ["the e-mail", "329"],
  ])("refused for %s is answered in the bank's words, called once, and leaves the token to be used again", async (_what, error_code) => {
    await control("/faults", { target: "bank", call: "bank.Init", kind: "bank_error", error_code, times: 1 });
    const body = bankCart();
    const refused = await call(BANK, body);
    expect(refused.body).toMatchObject({
      success: false,
      error_code: "INTEGRATION_UPSTREAM_ERROR",
      error_message: expect.stringContaining("refused by an injected fault"),
    });
    expect((await bankCalls()).map(({ path }) => path)).toEqual(["/v2/Init"]);
    const made = await call(BANK, body);
    await expectOneOfEverything(made.body);
  });

  // interface E.8, G.5
  it.each(["202", "204", "205", "501"])("refused for our own standing, %s, tells the partner nothing of it", async (error_code) => {
    await control("/faults", { target: "bank", call: "bank.Init", kind: "bank_error", error_code, times: 99 });
    const { body } = await call(BANK, bankCart());
    expect(body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    expect(body.error_message).toMatch(/is unreachable or not working/);
    expect(await bankCalls()).toHaveLength(1);
  });

  it.each(["3", "99", "9999"])("in trouble, %s, is asked what it holds, and tried again", async (error_code) => {
    await control("/faults", { target: "bank", call: "bank.Init", kind: "bank_error", error_code, times: 2 });
    const made = await call(BANK, bankCart());
    expect(made.body).toMatchObject({ success: true });
    const paths = (await bankCalls()).map(({ path }) => path.slice(4));
    expect(paths).toEqual(["Init", "CheckOrder", "Init", "CheckOrder", "Init", "GetQr"]);
    await expectOneOfEverything(made.body);
  });
});

describe.each(["bank.CheckOrder", "bank.Cancel"])("%s", (name) => {
  it.each(someOf(PASSING.filter(({ times }) => times < 3)))("$what: recovered within the request", async (fault) => {
    virtualTime();
    await inject("bank.Init", { what: "", kind: "reset_after", times: 1, more: {} });
    await inject(name, fault);
    const made = await call(BANK, bankCart());
    await control("/faults", undefined, "DELETE");
    expect(made.body).toMatchObject({ success: true, duplicate: false });
    await expectOneOfEverything(made.body);
  });

  it.each(someOf(LASTING))("$what: an error unless it is found done, and the next request goes on from there", async (fault) => {
    virtualTime();
    await inject("bank.Init", { what: "", kind: "reset_after", times: 1, more: {} });
    await inject(name, fault);
    const body = bankCart();
    // A cancellation that was carried out is seen by the look after it, whatever became of its answers.
    const isSeen = name === "bank.Cancel" && ["reset_after", "timeout"].includes(fault.kind);
    const wanted = isSeen ? { success: true } : { success: false, error_code: expect.stringMatching(/^INTEGRATION_/) };
    expect((await call(BANK, body)).body).toMatchObject(wanted);
    await control("/faults", undefined, "DELETE");
    await expectOneOfEverything((await call(BANK, body)).body);
  });
});

describe("an answer that opens something else than was asked for", () => {
  const answering = (change: object, times: number) => {
    let left = times;
    aroundEffects(async (effect, perform) => {
      const answer = (await perform()) as { json(): Promise<object> };
      const isInit = (await bankCalls()).at(-1)?.path === "/v2/Init";
      if (effect !== "bank" || !isInit || left === 0) return answer;
      left -= 1;
      return Response.json({ ...(await answer.json()), ...change });
    });
  };
  const changes = [{ Amount: 1 }, { OrderId: "another" }, { TerminalKey: "another" }, { PaymentURL: "nonsense" }, { PaymentId: null }];

  it.each(changes)("%j is taken back, and the payment opened anew", async (change) => {
    answering(change, 1);
    const made = await call(BANK, bankCart());
    resetEffects();
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(made.body);
  });

  it("is given up at last, with nothing left that can be paid", async () => {
    answering({ Amount: 1 }, 99);
    const { body } = await call(BANK, bankCart());
    resetEffects();
    expect(body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    const held = await objects("bank_payments");
    expect(held.length).toBeLessThanOrEqual(4);
    expect(held.filter(({ status }) => status !== "CANCELED")).toEqual([]);
  });
});

it("takes back all that a bank holds that takes an order's id more than once", async () => {
  await control("/faults", { target: "bank", call: "bank.Init", kind: "reset_after", times: 1 });
  let isDoubled = false;
  aroundEffects(async (effect, perform) => {
    const [first] = await objects("bank_payments");
    if (effect === "bank" && first !== undefined && !isDoubled) {
      isDoubled = true;
      await copyObject(first.id, "77", {});
    }
    return perform();
  });
  const made = await call(BANK, bankCart());
  resetEffects();
  expect(made.body).toMatchObject({ success: true });
  await settled();
  expect((await objects("bank_payments")).map(({ status }) => status)).toEqual(["CANCELED", "CANCELED", "NEW"]);
  const problems = await env.CELL_1.prepare("SELECT * FROM bank_notifications WHERE problem IS NOT NULL").all();
  expect(problems.results).toEqual([]);
});

it("does not touch a payment that somebody has begun to pay", async () => {
  await control("/faults", { target: "bank", call: "bank.Init", kind: "reset_after", times: 1 });
  aroundEffects(async (_effect, perform) => {
    // As if its page had been opened before it is asked for.
    for (const { id } of await objects("bank_payments")) await changeObject(id, { status: "FORM_SHOWED" });
    return perform();
  });
  const { body } = await call(BANK, bankCart());
  resetEffects();
  expect(body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR", error_message: expect.stringContaining("support") });
  expect((await bankCalls()).some(({ path }) => path === "/v2/Cancel")).toBe(false);
});

// interface T.8
it("makes another payment for the same content a day later, and leaves the first alone", async () => {
  const body = bankCart({ client_token: undefined });
  const first = await call(BANK, body);
  pass(25 * HOUR);
  const second = await call(BANK, body);
  expect(second.body).toMatchObject({ success: true, duplicate: false });
  expect(second.body.order_id).not.toBe(first.body.order_id);
  expect((await bankCalls()).some(({ path }) => path === "/v2/Cancel")).toBe(false);
  expect(await objects("bank_payments")).toHaveLength(2);
});

describe("an instance of the object that another has replaced", () => {
  /** Holds the first instance up at one of its effects, counted from 0; meanwhile another finishes the same request. */
  async function overlap(
    step: number,
    moment: "before" | "after",
    meanwhile: (orderId: unknown) => Promise<unknown> = async () => undefined,
  ) {
    let reached = -1;
    const { promise: isHeldUp, resolve: holdUp } = Promise.withResolvers<void>();
    const { promise: isToGoOn, resolve: keepAlive } = Promise.withResolvers<void>();
    aroundEffects(async (effect, perform) => {
      if (effect === "object" || !objectAtWork()) return perform();
      reached += 1;
      if (reached !== step) return perform();
      const done = moment === "after" ? perform() : null;
      await done?.catch(() => undefined);
      holdUp();
      await isToGoOn;
      return done ?? perform();
    });
    const replaced = call(BANK, bankCart());
    await isHeldUp;
    const record = await rowOf(idempotencyRecords);
    const { id = "", operation = "", key = "", fingerprint = "", plan = "" } = record ?? {};
    const request = {
      recordId: id,
      cell: CELL,
      partnerId: "acme",
      operation,
      key,
      fingerprints: [fingerprint] as [string],
      start: { plan },
      requestId: "other",
      holder: "holder of key_1",
      manual: false,
    };
    const work = workflows.get(operation);
    if (work === undefined) throw new Error("no such work");
    const answer = await new KeyRunner(cellDeps()).handle(work, request);
    if (!answer.ok) throw new Error(answer.error.kind);
    const made = JSON.parse(answer.result) as Record<string, unknown>;
    await meanwhile(made.orderId);
    keepAlive();
    const late = (await replaced).body;
    await settled();
    resetEffects();
    return { made, late };
  }

  const PLACES = STEPS.flatMap(([, what], step) => [["before", what, step] as const, ["after", what, step] as const]).slice(1);

  it.each(someOf(PLACES))("%s %s: leaves alone the payment that the other has given out", async (moment, _what, step) => {
    const { made, late } = await overlap(step, moment);
    expect(late).toMatchObject({ success: true, order_id: made.orderId, payment_id: made.paymentId });
    await expectOneOfEverything(late);
  });

  it.each(someOf(TAKING_BACK.flatMap((effect, step) => [["before", effect, step] as const, ["after", effect, step] as const]).slice(1)))(
    "%s its %s, step %i, while it takes back a payment: leaves alone what the other has given out",
    async (moment, _effect, step) => {
      await lostOnce();
      const { made, late } = await overlap(step, moment);
      expect(late).toMatchObject({ success: true, order_id: made.orderId, payment_id: made.paymentId });
      await expectOneOfEverything(late);
    },
  );

  it.each(someOf(PLACES.filter(([, , step]) => step < 3)))(
    "%s %s: never pays back what has been paid meanwhile",
    async (moment, _what, step) => {
      const { made } = await overlap(step, moment, (order_id) => control("/bank/pay", { order_id }));
      const held = (await objects("bank_payments")).filter(({ status }) => status !== "CANCELED");
      expect(held).toMatchObject([{ order_id: made.orderId, status: "CONFIRMED" }]);
      expect(await env.CELL_1.prepare("SELECT status FROM bank_payments WHERE status <> 'CANCELED'").first("status")).toBe("CONFIRMED");
    },
  );
});

it("begins anew by the catalogue as it is, once a refusal has followed a payment that was taken back", async () => {
  await lostOnce();
  await control("/faults", { target: "bank", call: "bank.Init", kind: "bank_error", error_code: "308", times: 1 });
  const body = bankCart({ items: [{ product_id: 1170, quantity: 1, unit_amount: 300_000 }] });
  expect((await call(BANK, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
  await updateRows(rubleProducts, { name: "Новое имя", vat: "vat22" }, { id: 1170 });
  const made = (await call(BANK, body)).body;
  expect(made).toMatchObject({ success: true, items: [{ product_name: "Новое имя" }] });
  const held = (await objects("bank_payments")).filter(({ status }) => status === "NEW");
  expect(held).toMatchObject([{ order_id: made.order_id, receipt: { Items: [{ Name: "Новое имя", Tax: "vat22" }] } }]);
  expect((await call(BANK, body)).body).toEqual({ ...made, duplicate: true });
});

// interface E.8
it("says that it timed out where the bank cannot be asked afterwards either", async () => {
  virtualTime();
  await inject("bank.Init", { what: "", kind: "timeout", times: 99, more: { ms: 26_000 } });
  await inject("bank.CheckOrder", { what: "", kind: "bank_error", times: 99, more: { error_code: "6" } });
  expect((await call(BANK, bankCart())).body).toMatchObject({ error_code: "INTEGRATION_TIMEOUT" });
});

it("opens payments also at a bank that gives an id to more than one", async () => {
  const ids = new Set<unknown>();
  for (let index = 0; index < 2; index += 1) {
    aroundEffects(async (effect, perform) => {
      const answer = (await perform()) as { json(): Promise<object> };
      const path = (await bankCalls()).at(-1)?.path;
      return effect === "bank" && path === "/v2/Init" ? Response.json({ ...(await answer.json()), PaymentId: "1" }) : answer;
    });
    const { body } = await call(BANK, bankCart());
    resetEffects();
    expect(body).toMatchObject({ success: true });
    ids.add(body.payment_id);
  }
  expect(ids.size).toBe(2);
});

it("does not keep its caller waiting for a fast-payment link", async () => {
  virtualTime();
  await control("/faults", { target: "bank", call: "bank.GetQr", kind: "timeout", times: 99, ms: 20_000 });
  expect((await call(BANK, bankCart())).body).toMatchObject({ success: true, sbp_url: null });
  expect((await bankCalls()).filter(({ path }) => path === "/v2/GetQr")).toHaveLength(2);
});
