import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publish } from "../../sandbox/processor/publish.ts";
import { OBJECTS } from "../../sandbox/processor/shape-roots.ts";
import { shapes } from "../../sandbox/processor/shapes.ts";
import { subscriptions } from "../../src/db/schema/cell.ts";
import { carryOut, everything } from "../ledger/histories.ts";
import { quiet } from "../support/payments.ts";
import { misfitsOf } from "../support/shape-check.ts";
import { control, objects, processorCalls, SANDBOX, settled, world } from "../support/stack.ts";
import { countOf } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** The sandbox refuses what the processor refuses, and shows what the processor shows. */

const SOLD =
  "line_items[0][price_data][product]=prod_acmeTestUsd1&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=1000&line_items[0][quantity]=1";
const MONTHLY = `${SOLD}&line_items[0][price_data][recurring][interval]=month`;
const pairs = (count: number) => Array.from({ length: count }, (_, index) => `metadata[k${index}]=v`).join("&");

async function ask(method: string, path: string, form: string, headers: Record<string, string> = {}) {
  const isGet = method === "GET";
  const response = await fetch(`${SANDBOX}/v1${path}${isGet ? `?${form}` : ""}`, {
    method,
    headers: { Authorization: "Bearer sk_test_sandbox", "Content-Type": "application/x-www-form-urlencoded", ...headers },
    ...(isGet ? {} : { body: form }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const unknown = (param: string) => ({ code: "parameter_unknown", param });
const missing = (param: string) => ({ code: "resource_missing", param });

describe("the processor refuses", () => {
  beforeEach(() => control("/reset", {}));

  it.each<[string, string, string, string, { code?: string; param?: string; type?: string }, Record<string, string>?]>([
    ["an unknown parameter", "POST", "/payment_links", `${SOLD}&colour=green`, unknown("colour")],
    ["an unknown nested parameter", "POST", "/payment_links", `${SOLD}&line_items[0][colour]=green`, unknown("line_items[0][colour]")],
    ["an unknown parameter of a list", "GET", "/payment_links", "colour=green", unknown("colour")],
    ["an expand path that leads nowhere", "GET", "/charges/ch_1", "expand[]=colour", { param: "expand" }],
    ["a nested expand path that leads nowhere", "GET", "/charges/ch_1", "expand[]=payment_intent.colour", { param: "expand" }],
    ["an expand path of a list outside its data", "GET", "/events", "expand[]=request", { param: "expand" }],
    [
      "payment_intent_data with a recurring price",
      "POST",
      "/payment_links",
      `${MONTHLY}&payment_intent_data[metadata][a]=b`,
      { param: "payment_intent_data" },
    ],
    ["subscription_data without one", "POST", "/payment_links", `${SOLD}&subscription_data[metadata][a]=b`, { param: "subscription_data" }],
    ["a currency that does not exist", "POST", "/prices", "product=prod_acmeTestUsd1&currency=xxq&unit_amount=100", { param: "currency" }],
    ["a total under the least", "POST", "/payment_links", SOLD.replace("=1000", "=49"), { code: "amount_too_small", param: "line_items" }],
    [
      "an amount over the most",
      "POST",
      "/payment_links",
      SOLD.replace("=1000", "=100000000"),
      { code: "amount_too_large", param: "line_items[0][price_data][unit_amount]" },
    ],
    [
      "a method twice",
      "POST",
      "/payment_links",
      `${SOLD}&payment_method_types[0]=card&payment_method_types[1]=card`,
      { param: "payment_method_types" },
    ],
    ["a method that is none", "POST", "/payment_links", `${SOLD}&payment_method_types[0]=amazon_pay`, { param: "payment_method_types[0]" }],
    ["a method of another currency", "POST", "/payment_links", `${SOLD}&payment_method_types[0]=ideal`, { param: "payment_method_types" }],
    ["a method of another mode", "POST", "/payment_links", `${MONTHLY}&payment_method_types[0]=paypal`, {}],
    ["more than 50 pairs of metadata", "POST", "/payment_links", `${SOLD}&${pairs(51)}`, { param: "metadata" }],
    [
      "a metadata key of 41 characters",
      "POST",
      "/payment_links",
      `${SOLD}&metadata[${"k".repeat(41)}]=v`,
      { param: `metadata[${"k".repeat(41)}]` },
    ],
    ["a metadata value of 501 characters", "POST", "/payment_links", `${SOLD}&metadata[k]=${"v".repeat(501)}`, { param: "metadata[k]" }],
    [
      "a trial of 731 days",
      "POST",
      "/payment_links",
      `${MONTHLY}&subscription_data[trial_period_days]=731`,
      { param: "subscription_data[trial_period_days]" },
    ],
    [
      "a trial of no days",
      "POST",
      "/payment_links",
      `${MONTHLY}&subscription_data[trial_period_days]=0`,
      { param: "subscription_data[trial_period_days]" },
    ],
    [
      "a product that does not exist",
      "POST",
      "/payment_links",
      SOLD.replace("acmeTestUsd1", "none"),
      missing("line_items[0][price_data][product]"),
    ],
    [
      "a product of the other environment",
      "POST",
      "/payment_links",
      SOLD.replace("acmeTestUsd1", "acmeLiveUsd1"),
      missing("line_items[0][price_data][product]"),
    ],
    [
      "a coupon for a product that does not exist",
      "POST",
      "/coupons",
      "percent_off=10&applies_to[products][0]=prod_none",
      missing("applies_to[products][0]"),
    ],
    ["a name of 41 characters", "POST", "/coupons", `percent_off=10&name=${"n".repeat(41)}`, { param: "name" }],
    ["percent_off with amount_off", "POST", "/coupons", "percent_off=10&amount_off=100&currency=usd", { code: "parameters_exclusive" }],
    [
      "a code without promotion[type]",
      "POST",
      "/promotion_codes",
      "promotion[coupon]=co&code=A",
      { code: "parameter_missing", param: "promotion[type]" },
    ],
    ["a code without promotion", "POST", "/promotion_codes", "code=A", { code: "parameter_missing", param: "promotion" }],
    ["no redemptions", "POST", "/coupons", "percent_off=10&max_redemptions=0", { param: "max_redemptions" }],
    [
      "a number that is none",
      "POST",
      "/coupons",
      "percent_off=10&max_redemptions=many",
      { code: "parameter_invalid_integer", param: "max_redemptions" },
    ],
    ["a duration that is none", "POST", "/coupons", "percent_off=10&duration=always", { param: "duration" }],
    ["a flag that is none", "POST", "/payment_links", `${SOLD}&allow_promotion_codes=yes`, { param: "allow_promotion_codes" }],
    ["a page of none", "GET", "/payment_links", "limit=0", { param: "limit" }],
    ["a page of 101", "GET", "/payment_links", "limit=101", { param: "limit" }],
    ["a page after nothing", "GET", "/payment_links", "starting_after=plink_none", missing("starting_after")],
    ["a page before nothing", "GET", "/payment_links", "ending_before=plink_none", missing("ending_before")],
    [
      "a success address of 2,049 characters",
      "POST",
      "/payment_links",
      `${SOLD}&after_completion[type]=redirect&after_completion[redirect][url]=https://x.example/${"a".repeat(2_031)}`,
      { param: "after_completion[redirect][url]" },
    ],
    ["an API version that does not exist", "GET", "/payment_links", "", {}, { "Stripe-Version": "tomorrow" }],
    [
      "an idempotency key of 256 characters",
      "POST",
      "/payment_links",
      SOLD,
      { type: "idempotency_error" },
      { "Idempotency-Key": "k".repeat(256) },
    ],
    [
      "21 lines",
      "POST",
      "/payment_links",
      Array.from({ length: 21 }, (_, index) => SOLD.replaceAll("[0]", `[${index}]`)).join("&"),
      { param: "line_items" },
    ],
  ])("%s", async (_what, method, path, form, error, headers) => {
    const answer = await ask(method, path, form, headers);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: {
          type: "invalid_request_error",
          message: expect.any(String),
          ...error,
          ...(error.code === undefined ? {} : { doc_url: expect.stringContaining(error.code.replaceAll("_", "-")) }),
        },
      },
    ]);
    for (const kind of ["payment_links", "coupons", "promotion_codes"]) expect(await objects(kind)).toEqual([]);
  });

  it("another request under one idempotency key", async () => {
    const key = { "Idempotency-Key": "one" };
    expect((await ask("POST", "/payment_links", SOLD, key)).status).toBe(200);
    const other = await ask("POST", "/payment_links", `${SOLD}&allow_promotion_codes=true`, key);
    expect([other.status, other.body.error.type]).toEqual([400, "idempotency_error"]);
  });
});

it("answers with the headers of the processor", async () => {
  const { headers } = await ask("POST", "/payment_links", SOLD, { "Idempotency-Key": crypto.randomUUID() });
  expect(headers.get("Stripe-Version")).toBe(shapes.apiVersion);
  expect(headers.get("Request-Id")).toMatch(/^req_/);
  expect(headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
});

describe("after everything that can become of money", () => {
  beforeAll(async () => {
    await control("/reset", {});
    for (const step of everything) await carryOut(step);
    await carryOut({ kind: "pay", what: "subscription", outcome: "succeeded", late: true });
    await carryOut({ kind: "renew", which: 0 });
    // The edge cancels only what it has heard of.
    await until(async () => expect(await countOf(subscriptions)).toBe(1));
    await carryOut({ kind: "cancel", which: 0, wanted: true });
    await carryOut({ kind: "pay", what: "trial", outcome: "succeeded", late: false });
    await ask("POST", "/coupons", "percent_off=10&name=ten&id=co_ten");
    await ask("POST", "/promotion_codes", "promotion[type]=coupon&promotion[coupon]=co_ten&code=TEN");
    await settled();
    await quiet();
  });

  it("no call of the Worker was refused, and there were many", async () => {
    const calls = await processorCalls();
    expect(calls.filter(({ status }) => status !== null && status >= 400 && status !== 404)).toEqual([]);
    expect(calls.length).toBeGreaterThan(20);
  });

  it("every object has every field that its schema requires, and none that it does not have", () => {
    const made = Object.values(world.state.objects).filter(({ object }) => object in OBJECTS);
    expect(new Set(made.map(({ object }) => object))).toEqual(
      new Set(Object.keys(OBJECTS).filter((kind) => !["item", "subscription_item", "webhook_endpoint"].includes(kind))),
    );
    expect(made.flatMap((object) => misfitsOf(publish(object)))).toEqual([]);
    expect(made.length).toBeGreaterThan(60);
  });

  it("every event has its object so, and that of a change what was before", async () => {
    const events = () => (world.state.order.event ?? []).map((id) => world.state.objects[id] as any);
    const changes = () => events().filter(({ type }) => type.endsWith(".updated"));
    expect(changes().length).toBeGreaterThan(2);
    expect(events().flatMap(({ data }) => misfitsOf(data.object))).toEqual([]);
    for (const { type, data } of changes()) expect([type, Object.keys(data.previous_attributes).length > 0]).toEqual([type, true]);
  });

  it("every kind is answered whole where it is asked for", async () => {
    for (const path of [
      "/payment_links",
      "/coupons",
      "/promotion_codes",
      "/subscriptions",
      "/checkout/sessions",
      "/balance_transactions",
      "/events",
      "/webhook_endpoints",
    ]) {
      const { body } = await ask("GET", path, path === "/subscriptions" ? "status=all" : "");
      expect([path, body.data.flatMap((one: Record<string, unknown>) => misfitsOf(one))]).toEqual([path, []]);
    }
    const [charge] = world.state.order.charge ?? [];
    const { body } = await ask("GET", `/charges/${charge}`, "expand[]=balance_transaction&expand[]=payment_intent.latest_charge");
    expect([body.balance_transaction.object, body.payment_intent.latest_charge.id, misfitsOf(body)]).toEqual([
      "balance_transaction",
      charge,
      [],
    ]);
  });
});
