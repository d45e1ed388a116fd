import { describe, expect, it } from "vitest";
import type { Decision, KeySituation } from "../../src/idempotency/protocol.ts";
import { decideByToken, type Rules, v2Protocol } from "../../src/idempotency/v2-protocol.ts";

const STRICT: Rules = { whileRunning: "refuse", afterFailure: "refuse" };
const LENIENT: Rules = { whileRunning: "join", afterFailure: "try_again" };

type Stored = KeySituation["stored"];
type Column = "strict" | "lenient";

/**
 * The table of `client_token`, written out: what is stored, then the decision for the same payload, for operations
 * that refuse (8, 11) and for those that wait and try again (9, 10, and keys made from content).
 */
const SAME_PAYLOAD: readonly [Stored, Partial<KeySituation>, Record<Column, Decision>][] = [
  ["none", {}, { strict: "start", lenient: "start" }],
  ["running", { manual: false }, { strict: "resume", lenient: "resume" }],
  ["running", { manual: true }, { strict: "refuse_in_progress", lenient: "refuse_in_progress" }],
  ["awaiting_short_link", {}, { strict: "resume", lenient: "resume" }],
  ["completed", { expired: false }, { strict: "replay", lenient: "replay" }],
  ["completed", { expired: true, manual: false }, { strict: "start_over", lenient: "start_over" }],
  ["completed", { expired: true, manual: true }, { strict: "replay", lenient: "replay" }],
  ["failed", { resumable: false, manual: false }, { strict: "refuse_after_failure", lenient: "start_over" }],
  ["failed", { resumable: true, manual: false }, { strict: "refuse_after_failure", lenient: "resume" }],
  ["failed", { manual: true }, { strict: "refuse_after_failure", lenient: "refuse_after_failure" }],
  ["failed_terminal", {}, { strict: "refuse_after_failure", lenient: "refuse_after_failure" }],
];

const EVERY_STORED: readonly Stored[] = ["none", "running", "completed", "failed", "failed_terminal", "awaiting_short_link"];
const BOTH = [true, false] as const;
const flags = BOTH.flatMap((expired) => BOTH.flatMap((resumable) => BOTH.map((manual) => ({ expired, resumable, manual }))));

describe.each([
  ["strict", STRICT],
  ["lenient", LENIENT],
] as const)("%s operations", (column, rules) => {
  // interface E.8, T.5
  it.each(SAME_PAYLOAD)("same payload, %s, %j", (stored, wanted, decisions) => {
    for (const flag of flags) {
      const situation = { stored, live: false, samePayload: true, ...flag, ...wanted };
      expect(decideByToken(situation, rules)).toBe(decisions[column]);
    }
  });

  // interface T.4
  it.each(EVERY_STORED.filter((stored) => stored !== "none"))("refuse another payload whatever is stored: %s", (stored) => {
    for (const live of BOTH) {
      for (const flag of flags)
        expect(decideByToken({ stored, live, samePayload: false, ...flag }, rules)).toBe("refuse_different_payload");
    }
  });

  it.each(EVERY_STORED)("with the first request still at work, %s stored", (stored) => {
    const wanted = column === "strict" ? "refuse_in_progress" : "join";
    for (const flag of flags) {
      expect(decideByToken({ stored, live: true, samePayload: true, ...flag }, rules)).toBe(wanted);
      expect(decideByToken({ stored, live: true, samePayload: false, ...flag }, rules)).toBe("refuse_different_payload");
    }
  });

  it("start on a key that nobody knows, whatever the payload is compared with", () => {
    for (const flag of flags) expect(decideByToken({ stored: "none", live: false, samePayload: false, ...flag }, rules)).toBe("start");
  });
});

describe("the generation", () => {
  const { forKey } = v2Protocol(STRICT);

  // interface T.8
  it("replays a token's result for good, a content's for 24 hours, and never ends a content by a failure", () => {
    expect(forKey("token:order-1").replayWindow).toBeNull();
    expect(forKey("content:5b0c").replayWindow).toBe(24 * 3600 * 1000);
    // A content replays its result only while the result is of use; a token always.
    expect([forKey("token:order-1").whileUsable, forKey("content:5b0c").whileUsable]).toEqual([false, true]);
    expect(v2Protocol(STRICT).name).toBe("v2");
    const failed = { stored: "failed", live: false, samePayload: true, expired: false, resumable: false, manual: false } as const;
    expect(forKey("token:order-1").decide(failed)).toBe("refuse_after_failure");
    expect(forKey("content:5b0c").decide(failed)).toBe("start_over");
  });

  it.each([
    ["refuse_in_progress", STRICT],
    ["join", LENIENT],
  ] as const)("answers equal content during a run as the operation's tokens: %s", (decision, rules) => {
    const running = { stored: "running", live: true, samePayload: true, expired: false, resumable: false, manual: false } as const;
    expect(v2Protocol(rules).forKey("content:1").decide(running)).toBe(decision);
  });

  // interface T.9
  it("lets a link without its short link wait, and counts no failures", () => {
    const { afterFailure } = forKey("token:order-1");
    expect(afterFailure({ error: { kind: "short_link_unavailable" }, previous: null, failures: 0 })).toEqual({
      state: "awaiting_short_link",
      failures: 0,
    });
    expect(afterFailure({ error: { kind: "internal" }, previous: null, failures: 0 }).state).toBe("running");
    const error = { kind: "upstream_timeout", upstream: "processor" } as const;
    expect(afterFailure({ error, previous: error, failures: 9 })).toEqual({ state: "failed", failures: 0 });
  });
});
