import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { root } from "./processes.ts";
import { repeating } from "./repeating.ts";

/** So many are named; who has more begins with these. */
const MOST = 10;

/** Prints after a run, for each test that failed, the command that repeats it alone. */
export class RepeatReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => [...module.children.allTests("failed")]);
    if (failed.length === 0) return;
    console.log(`To repeat ${failed.length === 1 ? "it" : "each"} alone:`);
    for (const test of failed.slice(0, MOST)) console.log(`  ${repeating(fileOf(test), namesOf(test), seed())}`);
    if (failed.length > MOST) console.log(`  … and ${failed.length - MOST} more`);
  }
}

const fileOf = (test: TestCase) => relative(root, test.module.moduleId);
const namesOf = (test: TestCase) => test.fullName.split(" > ");
/** The seed that each whole run draws. */
const seed = () => (process.env.TEST_SCALE === "full" ? process.env.TEST_SEED : undefined);
