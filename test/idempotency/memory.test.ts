import { afterEach, expect, it } from "vitest";
import * as z from "zod";
import type { KeyRequest } from "../../src/idempotency/answer.ts";
import { recordIdOf } from "../../src/idempotency/key.ts";
import { KeyRunner } from "../../src/idempotency/runner.ts";
import { v1Protocol } from "../../src/idempotency/v1-protocol.ts";
import { v2Protocol } from "../../src/idempotency/v2-protocol.ts";
import { eraseTypes } from "../../src/idempotency/workflow.ts";
import { CELL, cellDeps, ID_CODE } from "../support/cells.ts";
import { HOUR, pass, realTime } from "../support/later.ts";
import { countEffects } from "../support/observe.ts";

/** What an object remembers of its key: a result, and only as long as nobody can have changed it. */

afterEach(realTime);

let made = 0;
const workOf = (generation: typeof v1Protocol) =>
  eraseTypes({
    operation: "count",
    generation,
    plan: z.null(),
    result: z.int(),
    autoResume: false,
    budget: "test",
    perform: (_deps: object, _plan: null, run) => {
      made += 1;
      return run.complete(made, []);
    },
  });

const generations = {
  first: { work: workOf(v1Protocol), key: "key:one", window: 24 * HOUR },
  content: { work: workOf(v2Protocol({ whileRunning: "refuse", afterFailure: "refuse" })), key: "content:one", window: 24 * HOUR },
  token: { work: workOf(v2Protocol({ whileRunning: "refuse", afterFailure: "refuse" })), key: "token:one", window: null },
} as const;

async function requestOf(key: string, fingerprint = "same"): Promise<KeyRequest> {
  const scope = { partnerId: "acme", generation: "v1", operation: crypto.randomUUID(), key } as const;
  const recordId = await recordIdOf(ID_CODE, scope);
  const whose = { recordId, cell: CELL, partnerId: "acme", operation: "count", key, fingerprints: [fingerprint] } as const;
  return { ...whose, start: { plan: "null" }, requestId: "", holder: "holder of key_1", manual: false };
}

it.each(["first", "content", "token"] as const)("a result (%s) is answered from memory, to the same request alone", async (which) => {
  const { work, key } = generations[which];
  const request = await requestOf(key);
  const runner = new KeyRunner(cellDeps());
  const ask = (fingerprint: string) =>
    countEffects(() => runner.handle(work, { ...request, fingerprints: [fingerprint], requestId: crypto.randomUUID() }));
  const first = await ask("same");
  expect(first.result).toMatchObject({ ok: true, replayed: false });
  const again = await ask("same");
  expect(again.result).toEqual({ ...first.result, replayed: true });
  expect(again.counts.d1).toBe(0);
  const other = await ask("other");
  expect(other.result).toMatchObject({ ok: false, error: { kind: "key_reused_with_different_payload" } });
  expect(other.counts.d1).toBe(0);
});

it.each(["first", "content"] as const)("after its window, what another object has made meanwhile counts (%s)", async (which) => {
  const { work, key, window } = generations[which];
  const request = await requestOf(key);
  const [one, two] = [new KeyRunner(cellDeps()), new KeyRunner(cellDeps())];
  const ask = (runner: typeof one) => runner.handle(work, { ...request, requestId: crypto.randomUUID() });
  const first = await ask(one);
  pass(window + 1_000);
  const second = await ask(two);
  expect(second).toMatchObject({ ok: true, replayed: false });
  expect(second).not.toMatchObject({ result: first.ok ? first.result : "" });
  expect(await ask(one)).toEqual({ ...second, replayed: true });
});

it("a token's result is remembered for good, like its record", async () => {
  const { work, key } = generations.token;
  const request = await requestOf(key);
  const runner = new KeyRunner(cellDeps());
  const first = await runner.handle(work, { ...request, requestId: "1" });
  pass(400 * 24 * HOUR);
  expect(await runner.handle(work, { ...request, requestId: "2" })).toEqual({ ...first, replayed: true });
});
