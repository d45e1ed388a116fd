import { describe, expect, it } from "vitest";
import { type Decision, decide, type Rules, type Situation } from "../../src/idempotency/decide.ts";

const STRICT: Rules = { whileRunning: "refuse", afterFailure: "refuse" };
const LENIENT: Rules = { whileRunning: "wait", afterFailure: "try_again" };

type Stored = Situation["stored"];
type Column = "strict" | "lenient";

/**
 * The table of `client_token`, written out: what is stored, then the decision for the same payload, for operations
 * that refuse (8, 11) and for those that wait and try again (9, 10, and keys made from content).
 */
const SAME_PAYLOAD: readonly [Stored, Partial<Situation>, Record<Column, Decision>][] = [
  ["none", {}, { strict: "start", lenient: "start" }],
  ["running", {}, { strict: "resume", lenient: "resume" }],
  ["awaiting_short_link", {}, { strict: "resume", lenient: "resume" }],
  ["completed", { expired: false }, { strict: "replay", lenient: "replay" }],
  ["completed", { expired: true }, { strict: "start_over", lenient: "start_over" }],
  ["failed", { resumable: false }, { strict: "refuse_after_failure", lenient: "start_over" }],
  ["failed", { resumable: true }, { strict: "refuse_after_failure", lenient: "resume" }],
  ["failed_terminal", {}, { strict: "refuse_after_failure", lenient: "refuse_after_failure" }],
];

const EVERY_STORED: readonly Stored[] = ["none", "running", "completed", "failed", "failed_terminal", "awaiting_short_link"];
const BOTH = [true, false] as const;
const flags = BOTH.flatMap((expired) => BOTH.map((resumable) => ({ expired, resumable })));

describe.each([
  ["strict", STRICT],
  ["lenient", LENIENT],
] as const)("%s operations", (column, rules) => {
  it.each(SAME_PAYLOAD)("same payload, %s, %j", (stored, wanted, decisions) => {
    for (const flag of flags) {
      const situation = { stored, live: false, samePayload: true, ...flag, ...wanted };
      expect(decide(situation, rules)).toBe(decisions[column]);
    }
  });

  it.each(EVERY_STORED.filter((stored) => stored !== "none"))("refuse another payload whatever is stored: %s", (stored) => {
    for (const live of BOTH) {
      for (const flag of flags) expect(decide({ stored, live, samePayload: false, ...flag }, rules)).toBe("refuse_different_payload");
    }
  });

  it.each(EVERY_STORED)("with the first request still at work, %s stored", (stored) => {
    const wanted = column === "strict" ? "refuse_in_progress" : "wait";
    for (const flag of flags) {
      expect(decide({ stored, live: true, samePayload: true, ...flag }, rules)).toBe(wanted);
      expect(decide({ stored, live: true, samePayload: false, ...flag }, rules)).toBe("refuse_different_payload");
    }
  });

  it("start on a key that nobody knows, whatever the payload is compared with", () => {
    for (const flag of flags) expect(decide({ stored: "none", live: false, samePayload: false, ...flag }, rules)).toBe("start");
  });
});
