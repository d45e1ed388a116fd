import { expect, it } from "vitest";
import { type DefectName, defects } from "../../tools/chaos/defect-names.ts";
import { runChaos } from "../../tools/chaos/run.ts";
import { isFull, seed } from "./scale.ts";

const progress = () => undefined;

/** A short run has some of these, and not each of them. */
const RARE = ["payments", "movements", "payments at the bank", "deliveries", "events in feeds", "moves and splits"];

const minutes = isFull ? 2 : 0.25;

it("no promise is broken while the runtime is killed, calls and stores fail, and everybody goes on", async () => {
  const { violations, history, figures } = await runChaos({ seed, minutes, cells: 3, broken: "", progress });
  const shown = violations.slice(0, 3).map(({ promise, what, about }) => {
    const lines = history
      .of(about)
      .map(({ at, actor, what: did, about: ids, outcome }) => `${at} ${actor} ${did} ${ids.join(" ")} ${outcome}`);
    return [`${promise}: ${what} (npm run chaos -- --seed ${seed} --minutes ${minutes})`, ...lines.slice(-40)].join("\n");
  });
  expect(shown).toEqual([]);
  const happened = Object.entries(figures).filter(([, count]) => count > 0);
  const needed = Object.keys(figures).filter((name) => isFull || !RARE.includes(name));
  expect(happened.map(([name]) => name)).toEqual(expect.arrayContaining(needed));
});

it.runIf(isFull).each(Object.entries(defects) as [DefectName, string][])(
  "the auditor finds the planted defect: %s",
  async (broken, promise) => {
    const { violations } = await runChaos({ seed, minutes: 0.5, cells: 1, broken, progress });
    expect(violations.map((violation) => violation.promise)).toContain(promise);
  },
);
