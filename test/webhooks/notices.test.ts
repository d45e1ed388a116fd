import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoints, events } from "../../src/db/schema/index.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { clearTheWay, deliveryOf, received, recordPayment } from "../support/deliveries.ts";
import { DAY, HOUR, MINUTE, pass } from "../support/later.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { deleteRows, rowsOf, updateRows } from "../support/tables.ts";

/** The notices about a webhook that fails, before it is suspended. */

const deps = cellDeps();
const ENDPOINT = "ep_acme_test";
let other = "";

beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/failing` });
  const { body } = await send("/partner/webhooks", {
    method: "POST",
    headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" },
    body: JSON.stringify({ environment: "test", name: "other", webhook_url: `${SANDBOX}/inbox/other` }),
  });
  other = String(body.webhook).slice("test.".length);
});
beforeEach(async () => {
  await clearTheWay();
  for (const name of ["Partner.webhook.failing", "Partner.webhook.recovered"]) await deleteRows(events, { name });
});
afterEach(() => vi.useRealTimers());

/** The notices that are recorded, of the first row of each. */
const notices = async () =>
  (await rowsOf(events))
    .filter(({ id, name }) => name.startsWith("Partner.webhook.") && !id.includes("."))
    .map(({ id, payload }) => ({ id, ...JSON.parse(payload) }));
const reasons = async () => (await notices()).map(({ reason }) => reason);

/** An attempt that fails, after the webhook has failed for so long. */
async function failAfter(milliseconds: number, attempts = 0): Promise<string> {
  await control("/inbox/failing", { status: 500, times: 1 });
  const id = await recordPayment();
  await updateRows(events, { attempts }, { id });
  const failingSince = milliseconds === 0 ? null : Date.now() - milliseconds;
  await updateRows(endpoints, { failing_since: failingSince, failures: 2, cooldown_until: 0 }, { id: ENDPOINT });
  await attemptDelivery(deps, id);
  return id;
}

describe("a webhook that only fails", () => {
  it.each([
    [HOUR - MINUTE, []],
    [HOUR, ["only_failures"]],
    [DAY - MINUTE, ["only_failures"]],
    [DAY, ["only_failures"]],
    [3 * DAY, ["only_failures"]],
  ])("for %d ms has the notices %j", async (milliseconds, wanted) => {
    await failAfter(milliseconds);
    expect(await reasons()).toEqual(wanted);
  });

  it("has one notice for each of an hour, a day and three days, with the event, the status and a sentence", async () => {
    const since = Date.now();
    await updateRows(endpoints, { failing_since: since, failures: 2 }, { id: ENDPOINT });
    for (const later of [HOUR, HOUR, 22 * HOUR, HOUR, 2 * DAY, HOUR]) {
      pass(later);
      await updateRows(endpoints, { cooldown_until: 0 }, { id: ENDPOINT });
      await control("/inbox/failing", { status: 500, times: 1 });
      await attemptDelivery(deps, await recordPayment());
    }
    const made = await notices();
    expect(made.map(({ reason }) => reason)).toEqual(["only_failures", "only_failures", "only_failures"]);
    expect(made[0]).toMatchObject({
      webhook: { webhook: "test", name: null },
      failing_since: new Date(since).toISOString(),
      failed_event: expect.stringMatching(/^evt_/),
      last_status: 500,
      says: `All deliveries to your test webhook have failed since ${new Date(since).toISOString()}. Your receiver answers 500. After five days it is suspended.`,
    });
  });

  it("that answers 410 has the notice of its suspension, and one that support suspended has none", async () => {
    await control("/inbox/failing", { status: 410, times: 1 });
    await attemptDelivery(deps, await recordPayment());
    expect(await notices()).toMatchObject([
      {
        reason: "suspended",
        last_status: 410,
        says: "Suspended: your test webhook, because your receiver answered 410 Gone. Its events are kept: repair the receiver, then resume the webhook.",
      },
    ]);
  });

  it("for five days has the notice of its suspension", async () => {
    await failAfter(5 * DAY);
    expect(new Set(await reasons())).toEqual(new Set(["only_failures", "suspended"]));
  });

  it("has a notice that the other webhooks alone get, and the feed", async () => {
    await failAfter(HOUR);
    const [notice] = await notices();
    expect(await deliveryOf(notice?.id)).toMatchObject({ state: "no_endpoint" });
    await vi.waitFor(async () => expect(await deliveryOf(`${notice?.id}.${other}`)).toMatchObject({ state: "succeeded" }), 20_000);
    expect(received("other", notice?.id)).toHaveLength(1);
    expect(received("failing", notice?.id)).toHaveLength(0);
    const feed = await send("/partner/events?kind=Partner.webhook.failing", { headers: { "X-Partner-Api-Key": keys.acme } });
    expect(feed.body.data).toMatchObject([{ id: notice?.id }]);
  });

  it("that a partner added is named in the notice, which the first one gets", async () => {
    const id = await recordPayment();
    await updateRows(endpoints, { failing_since: Date.now() - HOUR, failures: 2 }, { id: `${ENDPOINT}.${other}` });
    await control("/inbox/other", { status: 503, times: 1 });
    await attemptDelivery(deps, `${id}.${other}`);
    const [notice] = await notices();
    expect(notice).toMatchObject({
      webhook: { webhook: `test.${other}`, name: "other" },
      says: expect.stringContaining("your webhook “other”"),
    });
    expect(await deliveryOf(`${notice?.id}.${other}`)).toBeNull();
    await vi.waitFor(async () => expect(await deliveryOf(notice?.id)).toMatchObject({ state: "succeeded" }), 20_000);
    expect(received("failing", notice?.id)).toHaveLength(1);
  });
});

describe("an event", () => {
  it("that fails for the fourth time while others succeed has a notice, the first of a day", async () => {
    await failAfter(0, 2);
    expect(await reasons()).toEqual([]);
    const id = await failAfter(0, 3);
    await failAfter(0, 3);
    expect(await notices()).toMatchObject([
      {
        reason: "event_failing",
        failing_since: null,
        failed_event: id,
        says: `The event ${id} has failed 4 times at your test webhook. Your receiver answers 500.`,
      },
    ]);
  });

  it("that is given up has a notice, the first of a day", async () => {
    await failAfter(0, 8);
    expect(await reasons()).toEqual(["event_failing"]);
    const id = await failAfter(0, 9);
    await failAfter(0, 9);
    expect(await deliveryOf(id)).toMatchObject({ state: "exhausted", attempts: 10 });
    expect((await notices()).filter(({ reason }) => reason === "event_exhausted")).toMatchObject([{ failed_event: id }]);
  });
});

describe("a webhook that takes deliveries again", () => {
  const succeedAfter = async (milliseconds: number) => {
    await updateRows(endpoints, { failing_since: Date.now() - milliseconds, failures: 9, cooldown_until: 0 }, { id: ENDPOINT });
    await attemptDelivery(deps, await recordPayment());
    return notices();
  };

  it("has a notice if it had failed for an hour", async () => {
    expect(await succeedAfter(HOUR - MINUTE)).toEqual([]);
    const made = await succeedAfter(HOUR);
    expect(made).toMatchObject([
      {
        webhook: { webhook: "test", name: null },
        says: expect.stringMatching(/^Your test webhook takes deliveries again\. They had failed since/),
      },
    ]);
    await attemptDelivery(deps, await recordPayment());
    expect(await notices()).toHaveLength(1);
  });
});

it("what a chat answers is no news of a webhook", async () => {
  const headers = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
  const set = { kind: "webhook", webhook_url: `${SANDBOX}/inbox/chat-notices` };
  expect((await send("/partner/chat", { method: "PUT", headers, body: JSON.stringify(set) })).status).toBe(200);
  await failAfter(HOUR);
  await vi.waitFor(() => expect(received("chat-notices", "")).toEqual([]), 1_000);
  const [notice] = await notices();
  const messageId = `${notice?.id}.chat`;
  await vi.waitFor(async () => expect(await deliveryOf(messageId)).toMatchObject({ state: "succeeded" }), 20_000);
  await updateRows(endpoints, { failing_since: Date.now() - DAY, failures: 9 }, { id: `${ENDPOINT}.chat` });
  await updateRows(events, { state: "pending", next_attempt_at: 0 }, { id: messageId });
  await control("/inbox/chat-notices", { status: 410, times: 1 });
  await attemptDelivery(deps, messageId);
  expect(await notices()).toHaveLength(1);
  await send("/partner/chat", { method: "DELETE", headers, body: "{}" });
});
