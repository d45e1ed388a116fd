import { join } from "node:path";
import { SCENARIOS } from "./conformance/scenarios.ts";
import { root, runTool } from "./processes.ts";
import { withTemporaryStack } from "./temporary-stack.ts";

const KNOWN_FAILURES = join(root, "cli", "conformance", "known-failures.yaml");

/**
 * `npm run check:mcp`: the protocol's official conformance suite against `/mcp` of a stack of its own, in both
 * revisions that it serves. 0 only if every check passes that is not known to fail.
 */
export async function run(): Promise<number> {
  let failed = 0;
  console.log("Starting a stack for this check alone …");
  await withTemporaryStack("mcp", async ({ edge }) => {
    for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
      for (const scenario of scenarios) {
        const args = ["server", "--url", `${edge}/mcp`, "--scenario", scenario, "--spec-version", revision];
        const code = await runTool("conformance", [...args, "--expected-failures", KNOWN_FAILURES], { quiet: true });
        failed += code === 0 ? 0 : 1;
        console.log(`${code === 0 ? "ok    " : "FAILED"} ${revision} ${scenario}`);
      }
    }
  });
  return failed === 0 ? 0 : 1;
}
