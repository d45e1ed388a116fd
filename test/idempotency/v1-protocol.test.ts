import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/core/errors.ts";
import type { Decision, KeySituation } from "../../src/idempotency/protocol.ts";
import { afterFailure, decideByKey, v1Protocol } from "../../src/idempotency/v1-protocol.ts";

type Stored = KeySituation["stored"];

/** What can be asked of a key: the columns of the table. */
const EVENTS = {
  "same body": { samePayload: true, manual: false },
  "other body": { samePayload: false, manual: false },
  manually: { samePayload: true, manual: true },
} as const;

type Row = readonly [Stored, Partial<KeySituation>, Record<keyof typeof EVENTS, Decision>];

const CONFLICT = "refuse_different_payload";

/** The table of `idempotency_key`, written out: every state that can be stored, times every event. */
const AT_REST: readonly Row[] = [
  ["none", {}, { "same body": "start", "other body": "start", manually: "start" }],
  ["running", {}, { "same body": "resume", "other body": CONFLICT, manually: "refuse_in_progress" }],
  ["completed", { expired: false }, { "same body": "replay", "other body": CONFLICT, manually: "replay" }],
  ["completed", { expired: true }, { "same body": "start_over", "other body": CONFLICT, manually: "replay" }],
  ["failed", { resumable: false }, { "same body": "start_over", "other body": CONFLICT, manually: "repeat_failure" }],
  ["failed", { resumable: true }, { "same body": "resume", "other body": CONFLICT, manually: "repeat_failure" }],
  ["failed_terminal", {}, { "same body": "repeat_failure", "other body": CONFLICT, manually: "repeat_failure" }],
  ["awaiting_short_link", {}, { "same body": "repeat_failure", "other body": CONFLICT, manually: "resume" }],
];

const EVERY_STORED = [...new Set(AT_REST.map(([stored]) => stored))];
const BOTH = [true, false] as const;
const flags = BOTH.flatMap((expired) => BOTH.map((resumable) => ({ expired, resumable })));
const columns = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

describe.each(AT_REST)("%s, %j, with nobody at work on the key", (stored, wanted, decisions) => {
  it.each(columns)("%s", (event) => {
    for (const flag of flags) {
      expect(decideByKey({ stored, live: false, ...flag, ...wanted, ...EVENTS[event] })).toBe(decisions[event]);
    }
  });
});

describe.each(EVERY_STORED)("%s, with the first request at work", (stored) => {
  it.each(columns)("%s", (event) => {
    const wanted = event === "other body" ? CONFLICT : "join";
    for (const flag of flags) expect(decideByKey({ stored, live: true, ...flag, ...EVENTS[event] })).toBe(wanted);
  });
});

it("replays for 24 hours", () => {
  expect(v1Protocol.name).toBe("v1");
  expect(v1Protocol.forKey("key:order-1").replayWindow).toBe(24 * 3600 * 1000);
});

const refused = (code: string | null): ServiceError => ({ kind: "upstream_failed", upstream: "processor", code, message: `said ${code}` });
const timeout: ServiceError = { kind: "upstream_timeout", upstream: "processor" };
const taken: ServiceError = { kind: "code_already_exists", code: "SUMMER" };

/** Where a key stands after attempts that ended in these errors, one after another. */
function standingAfter(errors: readonly ServiceError[]) {
  let [previous, failures, state]: [ServiceError | null, number, string] = [null, 0, "none"];
  for (const error of errors) {
    ({ state, failures } = afterFailure({ error, previous, failures }));
    previous = error;
  }
  return { state, failures };
}

const times = (count: number, error: ServiceError) => Array.from({ length: count }, () => error);

// interface F.6
describe("failing", () => {
  it("allows five attempts with the same error, and is terminal with the sixth", () => {
    for (let count = 1; count <= 5; count += 1) expect(standingAfter(times(count, taken))).toEqual({ state: "failed", failures: count });
    expect(standingAfter(times(6, taken))).toEqual({ state: "failed_terminal", failures: 6 });
  });

  it("counts anew after another error", () => {
    expect(standingAfter([...times(5, taken), refused("a"), taken])).toEqual({ state: "failed", failures: 1 });
    expect(standingAfter([...times(5, refused("a")), refused("b")])).toEqual({ state: "failed", failures: 1 });
    expect(standingAfter([...times(5, refused("a")), ...times(6, refused("b"))])).toEqual({ state: "failed_terminal", failures: 6 });
  });

  it("takes errors for the same by their code and the processor's, not by their words", () => {
    expect(standingAfter([...times(5, refused("a")), { ...refused("a"), message: "other words" } as ServiceError])).toMatchObject({
      failures: 6,
    });
    expect(standingAfter([...times(3, timeout), ...times(3, refused(null))])).toEqual({ state: "failed_terminal", failures: 6 });
    expect(standingAfter([...times(5, taken), { ...taken, code: "WINTER" }])).toMatchObject({ failures: 6 });
  });

  it("waits for a person once only the short link is missing, however often that fails", () => {
    expect(standingAfter(times(9, { kind: "short_link_unavailable" }))).toMatchObject({ state: "awaiting_short_link" });
  });

  it("is terminal exactly when the last six errors are the same", () => {
    const someError = fc.constantFrom(refused("a"), refused("b"), refused(null), timeout, taken);
    const signature = (error: ServiceError) =>
      JSON.stringify(error.kind === "upstream_failed" ? error.code : error.kind).replace('"upstream_timeout"', "null");
    fc.assert(
      fc.property(fc.array(someError, { minLength: 1, maxLength: 20 }), (errors) => {
        const last = signature(errors.at(-1) ?? timeout);
        const streak = errors.length - 1 - errors.findLastIndex((error) => signature(error) !== last);
        expect(standingAfter(errors)).toEqual({ state: streak >= 6 ? "failed_terminal" : "failed", failures: streak });
      }),
    );
  });
});
