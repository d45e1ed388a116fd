import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/core/errors.ts";
import {
  begunResponse,
  errorResponse,
  failureResponse,
  refusalResponse,
  replayResponse,
  storedError,
} from "../../src/idempotency/answer.ts";
import type { IdempotencyRecord } from "../../src/idempotency/store.ts";

const refused: ServiceError = { kind: "upstream_failed", upstream: "processor", code: null, message: "no" };
const record = (fields: Partial<IdempotencyRecord>) => fields as IdempotencyRecord;

describe("a failure", () => {
  const canBeTerminal: ServiceError[] = [{ kind: "internal" }, refused, { kind: "upstream_timeout", upstream: "bank" }];

  it.each(canBeTerminal)("of $kind says where its key is terminal", (error) => {
    expect(failureResponse("failed_terminal", error)).toEqual({ ok: false, error: { ...error, terminal: true } });
    expect(failureResponse("failed", error)).toEqual({ ok: false, error });
  });

  it("of another kind is the same, terminal or not", () => {
    const taken: ServiceError = { kind: "code_already_exists", code: "A" };
    expect(failureResponse("failed_terminal", taken)).toEqual(errorResponse(taken));
  });
});

describe("a stored result", () => {
  const stored = record({ result: '{"a":1}', requestId: "first" });

  it("is a replay to every request but the one that made it", () => {
    expect(replayResponse(stored, "first")).toEqual({ ok: true, result: '{"a":1}', replayed: false });
    expect(replayResponse(stored, "second")).toEqual({ ok: true, result: '{"a":1}', replayed: true });
  });

  it("must be there", () => {
    expect(() => replayResponse(record({ result: null }), "first")).toThrow("result");
  });
});

it("reads the stored error, and none where none failed", () => {
  expect(storedError({ error: JSON.stringify(refused) })).toEqual(refused);
  expect(storedError({ error: null })).toBeNull();
});

it("a refusal says that its key has no run, and a dry run of one that has says with which plan", () => {
  expect(refusalResponse(refused)).toEqual({ ok: false, error: refused, isRefusal: true });
  expect(begunResponse({ plan: '{"a":1}' })).toEqual({ ok: false, error: { kind: "operation_in_progress" }, begun: '{"a":1}' });
  expect(errorResponse(refused)).toEqual({ ok: false, error: refused });
});
