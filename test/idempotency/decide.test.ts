import { describe, expect, it } from "vitest";
import { type Decision, decide, type Rules, type Situation } from "../../src/idempotency/decide.ts";

const STORED = ["none", "running", "completed", "failed", "awaiting_short_link"] as const;
const BOTH = [true, false] as const;
const STRICT: Rules = { whileRunning: "refuse", afterFailure: "refuse" };
const LENIENT: Rules = { whileRunning: "wait", afterFailure: "try_again" };

function everySituation(): Situation[] {
  return STORED.flatMap((stored) =>
    BOTH.flatMap((live) =>
      BOTH.flatMap((samePayload) =>
        BOTH.flatMap((expired) => BOTH.map((resumable) => ({ stored, live, samePayload, expired, resumable }))),
      ),
    ),
  );
}

/** The interface's table of `client_token`, row by row, in the order in which its rows win over each other. */
function bySpecification({ stored, live, samePayload, expired, resumable }: Situation, rules: Rules): Decision {
  if (stored === "none" && !live) return "start";
  if (!samePayload) return "refuse_different_payload";
  if (live) return rules === STRICT ? "refuse_in_progress" : "wait";
  const table: Record<(typeof STORED)[number], Decision> = {
    none: "start",
    running: "resume",
    awaiting_short_link: "resume",
    completed: expired ? "start_over" : "replay",
    failed: rules === STRICT ? "refuse_after_failure" : resumable ? "resume" : "start_over",
  };
  return table[stored];
}

describe.each([
  ["operations 8 and 11", STRICT],
  ["operations 9 and 10, and keys made from content", LENIENT],
] as const)("%s", (_who, rules) => {
  it.each(everySituation())("$stored, live $live, same payload $samePayload, expired $expired, resumable $resumable", (situation) => {
    expect(decide(situation, rules)).toBe(bySpecification(situation, rules));
  });
});

it("covers every state times every event", () => {
  expect(everySituation()).toHaveLength(STORED.length * 2 ** 4);
});
