import { describe, expect, it } from "vitest";
import type { OperationObjects } from "../../src/idempotency/client.ts";
import { KnownAnswers } from "../../src/idempotency/known-answers.ts";
import { MINUTE } from "../support/later.ts";

/** What an isolate remembers of its answers. Whether they still stand, their objects say. */

const record = { operation: "count", recordId: "r", fingerprint: "f" };

function objectsThat(stillStands: () => Promise<boolean>): { objects: OperationObjects; asked: () => number } {
  let asked = 0;
  const never = () => Promise.reject(new Error("not called"));
  const objects: OperationObjects = () => ({
    handle: never,
    compensate: never,
    stillStands() {
      asked += 1;
      return stillStands();
    },
  });
  return { objects, asked: () => asked };
}

const stands = () => objectsThat(() => Promise.resolve(true)).objects;

describe("an answer", () => {
  it("is given while its object says that it stands", async () => {
    const answers = new KnownAnswers();
    answers.remember("a", record, { made: 1 }, 0);
    expect(await answers.recall(stands(), "a", 1)).toEqual({ made: 1 });
    expect(await answers.recall(stands(), "b", 1)).toBeUndefined();
  });

  it.each([
    ["says no", () => Promise.resolve(false)],
    ["does not answer", () => Promise.reject(new Error("the object is gone"))],
  ])("is forgotten where its object %s", async (_what, answer) => {
    const answers = new KnownAnswers();
    answers.remember("a", record, { made: 1 }, 0);
    const { objects, asked } = objectsThat(answer);
    expect(await answers.recall(objects, "a", 1)).toBeUndefined();
    expect([asked(), answers.has("a")]).toEqual([1, false]);
  });

  it("is remembered for a minute, and then its object is not asked", async () => {
    const answers = new KnownAnswers();
    answers.remember("a", record, { made: 1 }, 0);
    expect(await answers.recall(stands(), "a", MINUTE - 1)).toEqual({ made: 1 });
    const { objects, asked } = objectsThat(() => Promise.resolve(true));
    expect(await answers.recall(objects, "a", MINUTE)).toBeUndefined();
    expect(asked()).toBe(0);
  });

  it("gives way to newer ones: a thousand are remembered", async () => {
    const answers = new KnownAnswers();
    for (let count = 0; count < 1_000; count += 1) answers.remember(`a${count}`, record, {}, 0);
    answers.remember("a0", record, {}, 0);
    answers.remember("b", record, {}, 0);
    expect([answers.has("a0"), answers.has("a1"), answers.has("a2"), answers.has("b")]).toEqual([true, false, true, true]);
  });
});
