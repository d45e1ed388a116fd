import { runTool } from "./processes.ts";

/** `npm test`: every test, in the Workers runtime. Arguments go to the test runner. */
export function run(args: readonly string[]): Promise<number> {
  return runTool("vitest", ["run", ...args]);
}
