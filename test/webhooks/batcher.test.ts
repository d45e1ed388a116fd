import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batcher } from "../../src/webhooks/delivery/batcher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const asked: string[][] = [];
const echo = (all: readonly string[]) => {
  asked.push([...all]);
  return Promise.resolve(all.map((one) => `${one}!`));
};
beforeEach(() => void asked.splice(0));

it("asks once for what is asked within the moment, and answers each", async () => {
  const gathering = new Batcher(echo, 20, 10);
  const first = gathering.ask("a");
  await vi.advanceTimersByTimeAsync(19);
  const second = gathering.ask("b");
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all([first, second])).toEqual(["a!", "b!"]);
  const third = gathering.ask("c");
  await vi.advanceTimersByTimeAsync(20);
  expect(await third).toBe("c!");
  expect(asked).toEqual([["a", "b"], ["c"]]);
});

it("asks at once for as many as may be asked together", async () => {
  const gathering = new Batcher(echo, 20, 2);
  const answers = Promise.all(["a", "b", "c"].map((one) => gathering.ask(one)));
  expect(asked).toEqual([["a", "b"]]);
  await vi.advanceTimersByTimeAsync(20);
  expect(await answers).toEqual(["a!", "b!", "c!"]);
  expect(asked).toEqual([["a", "b"], ["c"]]);
});

it("goes on before its time where nobody else will ask, and only with those who have asked", async () => {
  const gathering = new Batcher(echo, 20, 10);
  await gathering.flush();
  const answer = gathering.ask("a");
  await gathering.flush();
  expect(await answer).toBe("a!");
  await vi.advanceTimersByTimeAsync(20);
  expect(asked).toEqual([["a"]]);
});

it("fails all who asked together, and none who ask later", async () => {
  let isDown = true;
  const gathering = new Batcher((all: readonly string[]) => (isDown ? Promise.reject(new Error("down")) : echo(all)), 0, 2);
  const together = Promise.allSettled([gathering.ask("a"), gathering.ask("b")]);
  expect((await together).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isDown = false;
  const later = gathering.ask("c");
  await gathering.flush();
  expect(await later).toBe("c!");
});

it("fails who is not answered", async () => {
  const gathering = new Batcher((all: readonly string[]) => Promise.resolve(all.slice(1)), 0, 2);
  const [first, second] = await Promise.allSettled([gathering.ask("a"), gathering.ask("b")]);
  expect(first).toEqual({ status: "fulfilled", value: "b" });
  expect(second).toMatchObject({ status: "rejected", reason: { message: "a batch was not answered completely" } });
});
