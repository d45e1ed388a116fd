import { describe, expect, it } from "vitest";
import { KnownAnswers } from "../../src/idempotency/known-answers.ts";
import { MINUTE } from "../support/later.ts";

/** What an isolate remembers of its answers. */

const record = { operation: "count", recordId: "r", fingerprint: "f", completedAt: 1 };
const known = { record, answer: { made: 1 }, catalogue: 7 };

describe("an answer", () => {
  it("is remembered for a minute, for its own request", () => {
    const answers = new KnownAnswers();
    answers.remember("a", known, 0);
    expect(answers.find("a", MINUTE - 1)).toMatchObject(known);
    expect(answers.find("a", MINUTE)).toBeUndefined();
    expect(answers.find("b", 0)).toBeUndefined();
  });

  it("is forgotten where it no longer holds", () => {
    const answers = new KnownAnswers();
    answers.remember("a", known, 0);
    answers.forget("a");
    expect(answers.find("a", 0)).toBeUndefined();
  });

  it("gives way to newer ones: a thousand are remembered", () => {
    const answers = new KnownAnswers();
    for (let count = 0; count < 1_000; count += 1) answers.remember(`a${count}`, known, 0);
    answers.remember("a0", known, 0);
    answers.remember("b", known, 0);
    expect(["a0", "a1", "a2", "b"].map((request) => answers.find(request, 0) !== undefined)).toEqual([true, false, true, true]);
  });
});
