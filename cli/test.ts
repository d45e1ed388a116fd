import { chromiumPath } from "../local/chromium.ts";
import { runTool } from "../local/processes.ts";
import { buildSite } from "../site/build.ts";

/** `npm test`: every test, in the Workers runtime. Arguments go to the test runner. */
export async function run(args: readonly string[]): Promise<number> {
  // The tests read the built site.
  await buildSite();
  const code = await runTool("vitest", ["run", ...args]);
  if (chromiumPath === undefined) console.log("No Chromium was found, so the tests of pages were skipped (set its path with CHROMIUM=…).");
  return code;
}
