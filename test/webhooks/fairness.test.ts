import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { MAX_CONCURRENT_ATTEMPTS } from "../../src/webhooks/delivery/endpoint-health.ts";
import { cellDeps } from "../support/cells.ts";
import { partnersAt, recordPayment } from "../support/deliveries.ts";
import { isFull } from "../support/scale.ts";
import { until } from "../support/until.ts";

/** One receiver that never answers, among a hundred, or by default a third of them: nobody else waits for it. */

const OTHERS = isFull ? 99 : 33;
const EVENTS_OF_OTHERS = 3;
const EVENTS_OF_ONE = 40;

it("an endpoint that hangs takes its own share of the consumers' time, and no more", async () => {
  const deps = cellDeps();
  const urls = ["https://hangs.example/", ...Array.from({ length: OTHERS }, (_, index) => `https://shop-${index}.example/`)];
  const [slow = "", ...others] = await partnersAt(urls);
  const gate = { open: false };
  let hanging = 0;
  let taken = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
    if (!new Request(url).url.startsWith("https://hangs.")) {
      taken += 1;
      return new Response("taken");
    }
    hanging += 1;
    while (!gate.open) await new Promise((resolve) => setTimeout(resolve, 50));
    return new Response("at last");
  });

  const ofSlow = await Promise.all(Array.from({ length: EVENTS_OF_ONE }, () => recordPayment({ partnerId: slow })));
  const ofOthers = await Promise.all(
    others.flatMap((partnerId) => Array.from({ length: EVENTS_OF_OTHERS }, () => recordPayment({ partnerId }))),
  );
  // The worst order: everybody stands behind the one that hangs, in a queue that works five messages off at a time.
  await deps.deliveryQueue.send([...ofSlow, ...ofOthers]);

  const open = (partnerId: string) =>
    env.CELL_1.prepare("SELECT count(*) AS count FROM events WHERE endpoint_id = ? AND state <> 'succeeded'")
      .bind(`ep_${partnerId}_test`)
      .first<number>("count");
  const openOfOthers = "SELECT count(*) AS count FROM events WHERE endpoint_id <> ? AND state <> 'succeeded'";
  await until(async () => expect(await env.CELL_1.prepare(openOfOthers).bind(`ep_${slow}_test`).first("count")).toBe(0));
  // All of that while not one of the attempts that hang had ended.
  expect(taken).toBe(OTHERS * EVENTS_OF_OTHERS);
  expect(hanging).toBe(MAX_CONCURRENT_ATTEMPTS);
  expect(await open(slow)).toBe(EVENTS_OF_ONE);

  gate.open = true;
  await until(async () => expect(await open(slow)).toBe(0));
  expect(hanging).toBe(EVENTS_OF_ONE);
});
