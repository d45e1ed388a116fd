import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { call, REGISTER } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { deliveryOf, received as receivedAt, recordPayment } from "../support/deliveries.ts";
import { MINUTE, pass } from "../support/later.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";

// In a file of its own: no other message is on its way in this runtime, so each try counted is this one's.
const deps = cellDeps();
const record = () => recordPayment({ environment: "test" });
const received = (id: string) => receivedAt("dead-letter", id);

beforeAll(() => call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/dead-letter" }));
afterEach(() => {
  vi.useRealTimers();
  resetEffects();
});

it("the sweep makes good a message that ended among the dead letters", async () => {
  const id = await record();
  let tries = 0;
  aroundEffects((effect, perform) => {
    if (effect !== "d1") return perform();
    tries += 1;
    return Promise.reject(new Error("D1_ERROR: Network connection lost."));
  });
  await deps.deliveryQueue.send([id]);
  // The first time, and the three that the queue tries it again.
  await expect.poll(() => tries).toBe(4);
  resetEffects();
  expect(await deliveryOf(id)).toMatchObject({ state: "pending", attempts: 0 });
  pass(MINUTE);
  await cron.sweep("deliveries");
  await expect.poll(() => received(id).length).toBe(1);
});
