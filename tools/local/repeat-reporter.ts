import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { root } from "./processes.ts";
import { repeating } from "./repeating.ts";

/** The most commands that are printed. */
const MOST = 10;

/** Prints after a run the command that repeats each failure alone: a test, or a file that failed around its tests. */
export class RepeatReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const commands = modules.flatMap((module) => {
      const failed = [...module.children.allTests("failed")];
      if (failed.length === 0) return module.state() === "failed" ? [repeating(fileOf(module), [], process.env)] : [];
      return failed.map((test) => repeating(fileOf(module), namesOf(test), process.env));
    });
    if (commands.length === 0) return;
    console.log(`To repeat ${commands.length === 1 ? "it" : "each"} alone:`);
    for (const command of commands.slice(0, MOST)) console.log(`  ${command}`);
    if (commands.length > MOST) console.log(`  … and ${commands.length - MOST} more`);
  }
}

const fileOf = (module: TestModule) => relative(root, module.moduleId);
const namesOf = (test: TestCase) => test.fullName.split(" > ");
