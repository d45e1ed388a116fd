import { expect, it } from "vitest";
import { SlowReceivers } from "../../src/webhooks/delivery/slow-receivers.ts";

it("a receiver that was slow is known for a minute, unless it answers in time", () => {
  const slow = new SlowReceivers();
  slow.note("ep_1", 1_000);
  expect([slow.has("ep_1", 1_000), slow.has("ep_1", 60_999), slow.has("ep_1", 61_000), slow.has("ep_2", 1_000)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  slow.forget("ep_1");
  expect(slow.has("ep_1", 1_000)).toBe(false);
});

it("an isolate remembers ten thousand at most", () => {
  const slow = new SlowReceivers();
  for (let index = 0; index < 10_000; index += 1) slow.note(`ep_${index}`, 0);
  slow.note("ep_0", 0);
  expect(slow.has("ep_1", 0)).toBe(true);
  slow.note("one more", 0);
  expect([slow.has("ep_1", 0), slow.has("one more", 0)]).toEqual([false, true]);
});
