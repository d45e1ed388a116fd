import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardProducts, idempotencyRecords } from "../../src/db/schema/index.ts";
import { EMPTY_PROGRESS } from "../../src/idempotency/store.ts";
import { completeShortLinkManually } from "../../src/links/complete-short-link.ts";
import { ANNA } from "../support/actor.ts";
import { CART, CODE, call, callV1, cart, LINK, link, promotion } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { crashAt, cutOffAround } from "../support/crash.ts";
import { cron } from "../support/cron.ts";
import { keepFailures } from "../support/faults.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { aroundEffects, objectAtWork, resetEffects } from "../support/observe.ts";
import { isFull } from "../support/scale.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects, processorCalls, world } from "../support/stack.ts";
import { fieldOf, rowOf, updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(() => control("/reset", {}));
afterEach(() => {
  resetEffects();
  realTime();
});

/** Requests that come together. */
const AT_ONCE = isFull ? 100 : 30;

const posts = async () => (await processorCalls()).filter(({ method }) => method !== "GET");
/** As every change of a product does, it raises the product's revision. */
async function setCurrency(product: string, currency: string): Promise<void> {
  const revision = Number(await fieldOf(cardProducts, "revision", { processor_product_id: product }));
  await updateRows(cardProducts, { currency, revision: revision + 1 }, { processor_product_id: product });
}
const stateOf = (key: string) => rowOf(idempotencyRecords, { key: `key:${key}` }, ["state", "failures", "failed_attempts"]);

describe.each([
  ["links", LINK, link, "payment_links"],
  ["promotion codes", CODE, promotion, "promotion_codes"],
] as const)("%s", (_what, operation, request, objectType) => {
  // interface F.2, L.4
  it("answer a repeat with the first result, and make nothing", async () => {
    const body = request();
    const first = await callV1(operation, body);
    expect(first.body).toMatchObject({ success: true, is_replay: false, idempotency_key: body.idempotency_key });
    const calls = (await posts()).length;
    expect((await callV1(operation, body)).body).toEqual({ ...first.body, is_replay: true });
    expect(await posts()).toHaveLength(calls);
  });

  // interface F.2, F.4, 1.7
  it("are replayed for 24 hours from completion, and made anew after that", async () => {
    const body = request();
    const first = await callV1(operation, body);
    pass(DAY - MINUTE);
    expect((await callV1(operation, body)).body).toEqual({ ...first.body, is_replay: true });
    pass(2 * MINUTE);
    // A code's text is free again only once the code is no longer active.
    if (operation === CODE) for (const { id } of await objects("promotion_codes")) deactivate(id);
    const anew = await callV1(operation, body);
    expect(anew.body).toMatchObject({ success: true, is_replay: false, retry_count: 0 });
    expect(anew.body).not.toEqual(first.body);
    expect(await objects(objectType)).toHaveLength(2);
    expect((await callV1(operation, body)).body).toEqual({ ...anew.body, is_replay: true });
  });

  // interface E.2, E.3
  it("are in conflict with another body, at any age, and stay as they are", async () => {
    const body = request();
    const other = { ...body, ...(operation === LINK ? { price: { unit_amount: 1 } } : { percent_off: 21 }) };
    const first = await callV1(operation, body);
    expect((await callV1(operation, other)).body).toMatchObject({ success: false, error_code: "idempotency_conflict" });
    expect((await callV1(operation, body)).body).toEqual({ ...first.body, is_replay: true });
    pass(30 * DAY);
    expect((await callV1(operation, other)).body).toMatchObject({ error_code: "idempotency_conflict" });
  });

  it("are the same request whatever the order of JSON keys, with defaults left out or given", async () => {
    const body = request();
    const defaults =
      operation === LINK
        ? { price: { trial_days: 0, interval_count: 1, ...body }, payment_link: { quantity: 1, allow_promotion_codes: false } }
        : { duration: "once", source: "api" };
    const spelled = operation === LINK ? { ...defaults, price: { trial_days: 0, interval_count: 1, unit_amount: 2500 } } : defaults;
    const first = await callV1(operation, body);
    const again = Object.fromEntries(Object.entries({ ...body, ...spelled }).toReversed());
    expect((await callV1(operation, again)).body).toEqual({ ...first.body, is_replay: true });
  });

  // interface F.11
  it(`make one of ${AT_ONCE} requests at once, and one answer for each`, async () => {
    const body = request();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => callV1(operation, body)));
    expect(answers.filter((answer) => answer.body.success === true)).toHaveLength(AT_ONCE);
    expect(answers.filter((answer) => answer.body.is_replay === false)).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify({ ...answer.body, is_replay: null }))).size).toBe(1);
    expect(await objects(objectType)).toHaveLength(1);
  });

  // interface F.11
  it(`fail ${AT_ONCE} requests at once by one attempt`, async () => {
    const made = operation === LINK ? "payment_links.create" : "coupons.create";
    await control("/faults", { target: "processor", call: made, times: 1, kind: "http_400" });
    let arrived = 0;
    let releaseBatch = () => {};
    const allHaveArrived = new Promise<void>((resolve) => {
      releaseBatch = resolve;
    });
    aroundEffects(async (effect, perform) => {
      arrived += effect === "object" ? 1 : 0;
      if (arrived === AT_ONCE) releaseBatch();
      if (effect === "processor") await allHaveArrived;
      return perform();
    });
    const body = request();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => callV1(operation, body)));
    for (const answer of answers) expect(answer.body).toMatchObject({ success: false, error_code: "stripe_error" });
    expect(await stateOf(body.idempotency_key)).toEqual({ state: "failed", failures: 1, failed_attempts: 1 });
  });

  // interface E.9, F.6, F.7
  it("may fail five times in the same way; after the sixth the key is terminal, and nobody is called any more", async () => {
    const made = operation === LINK ? "payment_links.create" : "coupons.create";
    await control("/faults", { target: "processor", call: made, times: 99, kind: "http_400" });
    const body = request();
    const key = body.idempotency_key;
    const failures = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      failures.push((await callV1(operation, body)).body);
      expect(await stateOf(key)).toMatchObject({ state: attempt < 6 ? "failed" : "failed_terminal", failures: attempt });
    }
    expect(await posts()).toHaveLength(6);
    await control("/faults", undefined, "DELETE");
    pass(30 * DAY);
    failures.push((await callV1(operation, body)).body);
    expect(await posts()).toHaveLength(6);
    // The sixth, and whatever comes after it, also says what to do: a new key.
    expect(new Set(failures.slice(0, 5).map((failure) => JSON.stringify(failure))).size).toBe(1);
    expect(failures[6]).toEqual(failures[5]);
    const { error_message } = failures[0];
    expect(failures[5]).toEqual({
      ...failures[0],
      error_message: `${error_message} 6 attempts with this idempotency_key failed with the same error. Use a new key.`,
    });
    expect(failures[0]).toMatchObject({
      success: false,
      error_code: "stripe_error",
      error_message: expect.stringContaining("injected fault"),
    });
    expect((await callV1(operation, { ...body, idempotency_key: crypto.randomUUID() })).body).toMatchObject({ success: true });
  });

  // interface 1.7
  it("succeed on the sixth attempt if five have failed", async () => {
    const made = operation === LINK ? "payment_links.create" : "coupons.create";
    await control("/faults", { target: "processor", call: made, times: 5, kind: "http_400" });
    const body = request();
    for (let attempt = 1; attempt <= 5; attempt += 1) expect((await callV1(operation, body)).body.success).toBe(false);
    const sixth = await callV1(operation, body);
    expect(sixth.body).toMatchObject({ success: true, is_replay: false, retry_count: operation === LINK ? 5 : 0 });
    expect((await callV1(operation, body)).body).toEqual({ ...sixth.body, is_replay: true });
  });

  it("count no failure that came before the record", async () => {
    const body = request();
    const unknown = operation === LINK ? { stripe_product_id: "prod_unknown" } : { stripe_product_ids: ["prod_unknown"] };
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      expect((await callV1(operation, { ...body, ...unknown })).body).toMatchObject({ error_code: "product_not_found" });
    }
    expect(await stateOf(body.idempotency_key)).toBeNull();
    expect((await callV1(operation, body)).body).toMatchObject({ success: true });
  });

  it("share no key with the other creation, nor with the second generation", async () => {
    const idempotency_key = crypto.randomUUID();
    expect((await callV1(operation, request({ idempotency_key }))).body).toMatchObject({ success: true, is_replay: false });
    const other = operation === LINK ? [CODE, promotion({ idempotency_key })] : [LINK, link({ idempotency_key })];
    expect((await callV1(other[0] as string, other[1] as object)).body).toMatchObject({ success: true, is_replay: false });
    expect((await call(CART, cart({ client_token: idempotency_key }))).body).toMatchObject({ success: true, duplicate: false });
  });

  it("refuse a key of the service's own", async () => {
    const { body } = await callV1(operation, request({ idempotency_key: "ingest:evt_1" }));
    expect(body).toMatchObject({ error_code: "invalid_input", error_message: expect.stringContaining("ingest:") });
  });
});

/** The processor ends a code, as support would have it done. */
function deactivate(id: string): void {
  const code = world.state.objects[id];
  if (code !== undefined) code.active = false;
}

describe("a key that is not given", () => {
  // interface 1.5
  it("is made up, returned, and serves for a repeat", async () => {
    const { idempotency_key: _, ...body } = link();
    const first = await callV1(LINK, body);
    expect(first.body.idempotency_key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const second = await callV1(LINK, body);
    expect(second.body).toMatchObject({ is_replay: false });
    expect(second.body.idempotency_key).not.toBe(first.body.idempotency_key);
    expect(await objects("payment_links")).toHaveLength(2);
    expect((await callV1(LINK, { ...body, idempotency_key: first.body.idempotency_key })).body).toEqual({ ...first.body, is_replay: true });
  });
});

describe("the currency that counts", () => {
  it("makes a conflict where it was inherited and the product's has changed", async () => {
    const body = link({ stripe_product_id: "prod_acmeLiveGbp1" });
    const first = await callV1(LINK, body);
    expect(first.body).toMatchObject({ currency: "GBP", currency_source: "inherited" });
    await setCurrency("prod_acmeLiveGbp1", "EUR");
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "idempotency_conflict" });
    await setCurrency("prod_acmeLiveGbp1", "GBP");
    expect((await callV1(LINK, body)).body).toEqual({ ...first.body, is_replay: true });
  });

  it("stays with its first source where it was overridden, whatever the product's becomes", async () => {
    const body = link({ stripe_product_id: "prod_acmeLiveUsd3", price: { unit_amount: 100, currency: "EUR" } });
    const first = await callV1(LINK, body);
    await setCurrency("prod_acmeLiveUsd3", "EUR");
    expect((await callV1(LINK, body)).body).toEqual({ ...first.body, currency_source: "overridden", is_replay: true });
    await setCurrency("prod_acmeLiveUsd3", "USD");
  });

  it("is overridden also by the product's own, in any case; leaving it out is another request", async () => {
    const body = link();
    const first = await callV1(LINK, { ...body, price: { unit_amount: 2500, currency: "usd" } });
    expect(first.body).toMatchObject({ currency_source: "overridden" });
    const spelled = { ...body, price: { unit_amount: 2500, currency: "USD" } };
    expect((await callV1(LINK, spelled)).body).toEqual({ ...first.body, is_replay: true });
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "idempotency_conflict" });
  });
});

describe("a short link that cannot be had", () => {
  let mend = () => {};
  afterEach(() => mend());
  const breakAll = () => {
    const broken = breakShortLinks();
    ({ mend } = broken);
    return broken;
  };

  const deps = () => cellDeps();

  // interface E.2, F.8, F.9, F.10, L.4
  it("is tried three times; then the link waits, a repeat does nothing, and a person completes it", async () => {
    const { tries } = breakAll();
    const body = link();
    const first = await callV1(LINK, body);
    expect(first.body).toMatchObject({ success: false, error_code: "short_url_unavailable" });
    expect(tries()).toBe(3);
    expect(await objects("payment_links")).toHaveLength(1);
    expect(await stateOf(body.idempotency_key)).toMatchObject({ state: "awaiting_short_link" });
    mend();

    const calls = (await processorCalls()).length;
    const effects: string[] = [];
    aroundEffects((effect, perform) => {
      effects.push(effect);
      return perform();
    });
    for (let repeat = 0; repeat < 8; repeat += 1) expect((await callV1(LINK, body)).body).toEqual(first.body);
    resetEffects();
    expect(effects).not.toContain("processor");
    expect(effects).not.toContain("kv.put");
    expect(await processorCalls()).toHaveLength(calls);
    expect((await callV1(LINK, { ...body, price: { unit_amount: 1 } })).body).toMatchObject({ error_code: "idempotency_conflict" });

    pass(10 * MINUTE);
    await cron.sweep("unfinished_operations");
    expect(await stateOf(body.idempotency_key)).toMatchObject({ state: "awaiting_short_link" });

    const [waiting] = await objects("payment_links");
    const slug = await completeShortLinkManually(deps(), waiting?.id ?? "", ANNA);
    expect((await processorCalls()).filter(({ path }) => path.includes("payment_links"))).toHaveLength(2);
    const completed = await callV1(LINK, body);
    expect(completed.body).toMatchObject({ success: true, short_url_id: slug, processor_payment_link_id: waiting?.id, retry_count: 1 });
    expect((await callV1(LINK, body)).body).toEqual({ ...completed.body, is_replay: true });
    expect(await completeShortLinkManually(deps(), waiting?.id ?? "", ANNA)).toBe(slug);
    expect(await objects("payment_links")).toHaveLength(1);
  });

  it("waits on where completing it manually fails too", async () => {
    breakAll();
    const body = link();
    await callV1(LINK, body);
    const [waiting] = await objects("payment_links");
    await expect(completeShortLinkManually(deps(), waiting?.id ?? "", ANNA)).rejects.toMatchObject({
      error: { kind: "short_link_unavailable" },
    });
    expect(await stateOf(body.idempotency_key)).toMatchObject({ state: "awaiting_short_link" });
    mend();
    expect(await completeShortLinkManually(deps(), waiting?.id ?? "", ANNA)).toMatch(/^01\w{14}$/);
  });

  it("is nobody's to complete for a link that is unknown, moderation's, or a cart's", async () => {
    const { body } = await call(CART, cart());
    for (const id of ["plink_unknown", "plink_acmeLiveUsd1First", body.payment_link_id]) {
      expect(await completeShortLinkManually(deps(), id, ANNA)).toBeNull();
    }
  });

  it("is said for a link that has one, though a later link was made under the same key", async () => {
    const body = link();
    const first = await callV1(LINK, body);
    pass(DAY + MINUTE);
    const second = await callV1(LINK, body);
    expect(await completeShortLinkManually(deps(), first.body.processor_payment_link_id, ANNA)).toBe(first.body.short_url_id);
    expect(await completeShortLinkManually(deps(), second.body.processor_payment_link_id, ANNA)).toBe(second.body.short_url_id);
  });
});

// interface F.5
it("finishes what was cut off unasked, also in the first generation", async () => {
  const body = link();
  cutOffAround("processor", "after");
  expect((await callV1(LINK, body)).body).toMatchObject({ success: false, error_code: "internal_error" });
  resetEffects();
  pass(3 * MINUTE);
  await cron.sweep("unfinished_operations");
  expect(await stateOf(body.idempotency_key)).toEqual({ state: "completed", failures: 0, failed_attempts: 0 });
  expect((await callV1(LINK, body)).body).toMatchObject({ success: true, is_replay: true, retry_count: 0 });
  expect(await objects("payment_links")).toHaveLength(1);
});

describe("an attempt that failed more than 23 hours ago", () => {
  it.each([
    ["whose link may have been made", "payment_links.create", "reset_after"],
    ["whose link was made, but not its line had", "payment_links.line_items", "http_500"],
  ])("%s is gone on from: no second link", async (_what, made, kind) => {
    const jump = virtualTime();
    await control("/faults", { target: "processor", call: made, times: 99, kind });
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "stripe_error" });
    await control("/faults", undefined, "DELETE");
    jump(30 * HOUR);
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true, retry_count: 1 });
    expect(await objects("payment_links")).toHaveLength(1);
  });
});

describe("failures that the processor keeps under our key", () => {
  it("end with the outage: the next request asks under another key", async () => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "http_500", stored: true });
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "stripe_error" });
    await control("/faults", undefined, "DELETE");
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true, retry_count: 1 });
    expect(await objects("payment_links")).toHaveLength(1);
  });

  it("are not taken for proof of anything where the look fails too: the link is found by the next request", async () => {
    keepFailures(1);
    await control("/faults", { target: "processor", call: "payment_links.list", times: 1, kind: "http_400" });
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "stripe_error" });
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true, retry_count: 1 });
    expect(await objects("payment_links")).toHaveLength(1);
  });

  it("are waited out within one request, with pauses", async () => {
    virtualTime();
    keepFailures(3);
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true, retry_count: 0 });
    resetEffects();
    expect(await objects("payment_links")).toHaveLength(1);
  });
});

describe("a fault of our own", () => {
  /** The processor answers from the wrong environment, as it would if its keys were mixed up. */
  function mixUpKeys(): void {
    aroundEffects(async (effect, perform) => {
      const answer = await perform();
      const request = world.state.requests.at(-1);
      if (effect !== "processor" || request?.method !== "POST") return answer;
      const made = (await (answer as Response).json()) as object;
      return Response.json({ ...made, livemode: true });
    });
  }

  // interface E.10
  it("is counted as any other failure, and ends the key with the sixth", async () => {
    mixUpKeys();
    const body = link();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      expect((await callV1(LINK, body)).body).toMatchObject({ success: false, error_code: "internal_error" });
    }
    expect(await stateOf(body.idempotency_key)).toEqual({ state: "failed_terminal", failures: 6, failed_attempts: 6 });
  });

  // interface E.10
  it("is resumed by a repeat, once it is mended", async () => {
    mixUpKeys();
    const body = link();
    expect((await callV1(LINK, body)).body).toMatchObject({ error_code: "internal_error" });
    resetEffects();
    expect((await callV1(LINK, body)).body).toMatchObject({ success: true, retry_count: 1 });
    expect(await objects("payment_links")).toHaveLength(1);
  });

  // interface E.10
  it("does not spend a token of the second generation", async () => {
    mixUpKeys();
    const body = cart();
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTERNAL_ERROR" });
    resetEffects();
    expect((await call(CART, body)).body).toMatchObject({ success: true });
    expect(await objects("payment_links")).toHaveLength(1);
  });
});

describe("while another instance of the object is at work on the key", () => {
  const claimForAnother = "UPDATE idempotency_records SET owner = 'another', request_id = 'another', epoch = epoch + 1 WHERE key = ?";

  // interface F.11
  it("a request waits for its outcome", async () => {
    virtualTime();
    const body = link();
    const first = await callV1(LINK, body);
    await updateRows(
      idempotencyRecords,
      { state: "running", result: null, progress: EMPTY_PROGRESS },
      { key: `key:${body.idempotency_key}` },
    );
    const result = JSON.stringify({
      paymentLinkId: first.body.processor_payment_link_id,
      slug: first.body.short_url_id,
      productId: first.body.processor_product_id,
      priceId: first.body.processor_price_id,
      unitAmount: 2500,
      environment: "test",
      currency: "USD",
      currencySource: "inherited",
      type: "one_time",
      retryCount: 0,
    });
    const key = `key:${body.idempotency_key}`;
    let looks = 0;
    aroundEffects(async (effect, perform) => {
      const answer = await perform();
      if (effect !== "d1" || !objectAtWork()) return answer;
      looks += 1;
      // Claimed by another right after we claimed it; the other is done a while later.
      if (looks === 2) await env.CELL_1.prepare(claimForAnother).bind(key).run();
      if (looks === 6) await updateRows(idempotencyRecords, { state: "completed", result }, { key });
      return answer;
    });
    const second = await callV1(LINK, body);
    resetEffects();
    expect(second.body).toEqual({ ...first.body, is_replay: true });
    expect(await objects("payment_links")).toHaveLength(1);
  });
});

it("is not completed manually while it is unfinished: nothing is begun that nobody asked for", async () => {
  // The link is stored, its lines and its short link are not.
  crashAt(3, "before", 2);
  expect((await callV1(LINK, link())).body).toMatchObject({ error_code: "internal_error" });
  resetEffects();
  const [made] = await objects("payment_links");
  await expect(completeShortLinkManually(cellDeps(), made?.id ?? "", ANNA)).rejects.toMatchObject({
    error: { kind: "operation_in_progress" },
  });
  expect(await objects("payment_links")).toHaveLength(1);
});

describe("the default payment methods", () => {
  it("are another request spelled out than left out, because the catalogue may change them", async () => {
    const body = link();
    await callV1(LINK, body);
    for (const payment_method_types of [["link", "card"], ["card"]]) {
      expect((await callV1(LINK, { ...body, payment_link: { payment_method_types } })).body).toMatchObject({
        error_code: "idempotency_conflict",
      });
    }
  });
});
