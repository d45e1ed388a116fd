import { chromiumPath } from "./chromium.ts";
import { runTool } from "./processes.ts";
import { buildSite } from "./site/build.ts";

/** `npm test`: every test, in the Workers runtime. Arguments go to the test runner. */
export async function run(args: readonly string[]): Promise<number> {
  // The tests read the site, as it is served.
  await buildSite();
  const code = await runTool("vitest", ["run", ...args]);
  if (chromiumPath === undefined) console.log("There is no Chromium on this machine, so no page was looked at (CHROMIUM=… names one).");
  return code;
}
