import { expect, it } from "vitest";
import { newSlowReceivers } from "../../src/webhooks/delivery/slow-receivers.ts";

it("a receiver that was slow is known for a minute, unless it answers in time", () => {
  const slow = newSlowReceivers();
  slow.remember("ep_1", true, 1_000);
  expect([slow.get("ep_1", 1_000), slow.get("ep_1", 60_999), slow.get("ep_1", 61_000), slow.get("ep_2", 1_000)]).toEqual([
    true,
    true,
    undefined,
    undefined,
  ]);
  slow.forget("ep_1");
  expect(slow.get("ep_1", 1_000)).toBeUndefined();
});

it("an isolate remembers ten thousand at most", () => {
  const slow = newSlowReceivers();
  for (let index = 0; index < 10_000; index += 1) slow.remember(`ep_${index}`, true, 0);
  slow.remember("ep_0", true, 0);
  expect(slow.get("ep_1", 0)).toBe(true);
  slow.remember("one more", true, 0);
  expect([slow.get("ep_1", 0), slow.get("one more", 0)]).toEqual([undefined, true]);
});
