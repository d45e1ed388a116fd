import { expect, it } from "vitest";
import { breakNames } from "../../chaos/break-names.ts";
import { runChaos } from "../../chaos/run.ts";
import { isFull } from "./scale.ts";

/** A new seed for each run. It stands in the failure. */
const seed = Math.floor(Math.random() * 2 ** 31);
const quietly = { seed, progress: () => undefined };

/** The first violations with the shortest history that shows each, and how to try again. */
async function violationsOf(minutes: number, broken: string): Promise<string[]> {
  const { violations, history, figures } = await runChaos({ ...quietly, minutes, broken });
  expect(figures.orders).toBeGreaterThan(0);
  const again = `npm run chaos -- --seed ${seed} --minutes ${minutes}`;
  return violations.slice(0, 3).map(({ promise, what, about }) => {
    const lines = history
      .of(about)
      .map(({ at, actor, what: did, about: ids, outcome }) => `${at} ${actor} ${did} ${ids.join(" ")} ${outcome}`);
    return [`${promise}: ${what} (${again})`, ...lines.slice(-40)].join("\n");
  });
}

it("no promise is broken while the runtime is killed, calls and stores fail, and everybody goes on", async () => {
  expect(await violationsOf(2, "")).toEqual([]);
});

it.runIf(isFull).each(breakNames)("the auditor finds a break: %s", async (broken) => {
  expect(await violationsOf(0.5, broken)).not.toEqual([]);
});
