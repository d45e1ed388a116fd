import { afterEach, describe, expect, it } from "vitest";
import { paymentLinks } from "../../src/db/schema/index.ts";
import { CART, call, cart, send } from "../support/api.ts";
import { crashAt, effectsOf } from "../support/crash.ts";
import { keepFailures } from "../support/faults.ts";
import { aroundEffects, crash, type Effect, resetEffects } from "../support/observe.ts";
import { someOf } from "../support/scale.ts";
import { control, objects } from "../support/stack.ts";
import { rowOf } from "../support/tables.ts";

afterEach(resetEffects);

/** What the object does for a new cart, in order: the places at which it can be cut off. */
const STEPS: readonly (readonly [Effect, string])[] = [
  ["d1", "opening the record"],
  ["processor", "making the link"],
  ["d1", "storing the link"],
  ["processor", "asking for its lines"],
  ["d1", "storing the result with the short link"],
  ["kv.put", "publishing the short link"],
];

/** One of everything, wherever one looks: at the processor, in the catalogue of links, and in the answers. */
async function expectOneOfEverything(linksBefore: number, pricesBefore: number, answer: Record<string, unknown>): Promise<void> {
  expect((await objects("payment_links")).length - linksBefore).toBe(1);
  expect((await objects("prices")).length - pricesBefore).toBe(2);
  const row = await rowOf(paymentLinks, { id: String(answer.payment_link_id) });
  expect(row).toMatchObject({ slug: answer.short_url_id });
  expect(JSON.parse(row?.items)).toHaveLength(2);
  expect((await send(`/${String(answer.short_url_id)}`)).status).toBe(302);
}

describe.each(["before", "after"] as const)("the object is aborted %s", (moment) => {
  it.each(someOf(STEPS.map(([, what], step) => [what, step] as const)))(
    "%s: one link, one set of prices, one short link, one answer",
    async (_what, step) => {
      const [links, prices] = [(await objects("payment_links")).length, (await objects("prices")).length];
      const body = cart();
      const injected = crashAt(step, moment);
      const first = await call(CART, body);
      expect(injected.crashed()).toBe(true);
      expect(injected.reached.at(-1)).toBe(STEPS[step]?.[0]);
      resetEffects();

      // The caller notices nothing: the Worker asks a new object, which goes on where the old one was cut off.
      expect(first.body).toMatchObject({ success: true, line_item_count: 2, duplicate: false });
      const second = await call(CART, body);
      expect(second.body).toEqual({ ...first.body, duplicate: true });
      await expectOneOfEverything(links, prices, first.body);
    },
  );
});

it("has no other step than these", async () => {
  const seen = await effectsOf(() => call(CART, cart()));
  expect(seen).toEqual(STEPS.map(([effect]) => effect));
});

describe.each(["before", "after"] as const)("after a refused method, aborted %s", (moment) => {
  const STEPS_WITH_REFUSAL = ["opening", "refused", "noting the refusal", "making the link", "storing it", "lines", "result", "publishing"];

  it.each(someOf(STEPS_WITH_REFUSAL.map((what, step) => [what, step] as const)))("%s: one link", async (_what, step) => {
    const links = (await objects("payment_links")).length;
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "klarna" });
    const injected = crashAt(step, moment);
    const { body } = await call(CART, cart({ payment_method_types: ["klarna", "card"] }));
    expect(injected.crashed()).toBe(true);
    resetEffects();
    await control("/faults", undefined, "DELETE");
    expect(body).toMatchObject({ success: true, duplicate: false });
    expect((await objects("payment_links")).length - links).toBe(1);
  });
});

// interface T.6
it("is resumed by the next request when the object dies twice in one", async () => {
  const [links, prices] = [(await objects("payment_links")).length, (await objects("prices")).length];
  const body = cart();
  let calls = 0;
  aroundEffects(async (effect, perform) => {
    if (effect !== "processor" || calls >= 2) return perform();
    calls += 1;
    await perform();
    return crash();
  });
  const first = await call(CART, body);
  expect(calls).toBe(2);
  expect(first.body).toMatchObject({ success: false, error_code: "INTERNAL_ERROR" });
  resetEffects();
  const second = await call(CART, body);
  expect(second.body).toMatchObject({ success: true });
  await expectOneOfEverything(links, prices, second.body);
});

const RECOVERED = [
  ["http_500", 1],
  ["reset_after", 3],
  ["http_429", 1],
  ["reset", 2],
  ["http_500", 3],
  ["reset_after", 1],
] as const;

it.each(someOf(RECOVERED))("recovers from %s, %i times: the link is made once", async (kind, times) => {
  await control("/reset", {});
  const [links, prices] = [(await objects("payment_links")).length, (await objects("prices")).length];
  await control("/faults", { target: "processor", call: "payment_links.create", times, kind });
  const made = await call(CART, cart());
  expect(made.body).toMatchObject({ success: true, duplicate: false });
  await expectOneOfEverything(links, prices, made.body);
});

describe("a 500 that the processor keeps under our key", () => {
  it("is got round: no link came of it, so the call is made under another key", async () => {
    await control("/reset", {});
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_500", stored: true });
    const made = await call(CART, cart());
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(0, 0, made.body);
  });

  it("is got round: the link that came of it all the same is found and taken", async () => {
    await control("/reset", {});
    keepFailures(1);
    const made = await call(CART, cart());
    resetEffects();
    expect(made.body).toMatchObject({ success: true });
    await expectOneOfEverything(0, 0, made.body);
  });
});
