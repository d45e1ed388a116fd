import { expect, it } from "vitest";
import * as z from "zod";
import { type Environment, environmentSchema } from "../../src/core/environment.ts";
import type { KeyRequest } from "../../src/idempotency/answer.ts";
import { recordIdOf } from "../../src/idempotency/key.ts";
import { KeyRunner } from "../../src/idempotency/runner.ts";
import { openRecord, readRecord } from "../../src/idempotency/store.ts";
import { v1Protocol } from "../../src/idempotency/v1-protocol.ts";
import { eraseTypes } from "../../src/idempotency/workflow.ts";
import { CELL, cellDeps, ID_CODE } from "../support/cells.ts";

let made = 0;
const work = eraseTypes({
  operation: "count",
  generation: v1Protocol,
  plan: z.object({ environment: environmentSchema }),
  result: z.int(),
  environmentOf: ({ environment }) => environment,
  autoResume: false,
  budget: "test",
  perform: (_deps: object, _plan, run) => {
    made += 1;
    return run.complete(made, []);
  },
});

/** A run of the live environment that was cut off, and a request for it whose own plan, of the catalogue of now, is of test. */
async function interrupted(): Promise<KeyRequest> {
  const key = `key:${crypto.randomUUID()}`;
  const id = await recordIdOf(ID_CODE, { partnerId: "acme", generation: "v1", operation: "count", key });
  const whose = { partnerId: "acme", operation: "count", key } as const;
  const { db, clock } = cellDeps();
  const wanted = {
    id,
    ...whose,
    generation: "v1",
    fingerprint: "same",
    plan: '{"environment":"live"}',
    requestId: "first",
    holder: "holder of key_1",
  } as const;
  await openRecord(db, wanted, "an instance that is gone", { now: clock.now(), most: 1e9, budget: "test" });
  const start = { plan: '{"environment":"test"}' };
  return {
    recordId: id,
    cell: CELL,
    ...whose,
    fingerprints: ["same"],
    start,
    requestId: "second",
    holder: "holder of key_1",
    manual: false,
  };
}

const ask = (request: KeyRequest, environments?: readonly Environment[]) =>
  new KeyRunner(cellDeps()).handle(work, { ...request, environments });

it("an agent of the other environment does not have a run go on, whatever the catalogue says now", async () => {
  const request = await interrupted();
  const before = made;
  expect(await ask(request, ["test"])).toEqual({ ok: false, error: { kind: "environment_missing", environment: "live" } });
  expect(made).toBe(before);
  expect(await readRecord(cellDeps().db, request.recordId)).toMatchObject({ state: "running" });
});

it.each<[string, readonly Environment[] | undefined]>([
  ["an agent of its environment", ["live"]],
  ["an agent of both", ["live", "test"]],
  ["a key", undefined],
])("%s does", async (_who, environments) => {
  const before = made;
  expect(await ask(await interrupted(), environments)).toMatchObject({ ok: true });
  expect(made).toBe(before + 1);
});
