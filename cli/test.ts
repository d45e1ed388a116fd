import { runTool } from "./processes.ts";
import { buildSite } from "./site/build.ts";

/** `npm test`: every test, in the Workers runtime. Arguments go to the test runner. */
export async function run(args: readonly string[]): Promise<number> {
  // The tests read the site, as it is served.
  await buildSite();
  return runTool("vitest", ["run", ...args]);
}
