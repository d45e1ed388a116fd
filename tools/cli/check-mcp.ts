import { join } from "node:path";
import { captureTool, root, runTool } from "../local/processes.ts";
import { withTemporaryStack } from "../local/temporary-stack.ts";
import { readArguments } from "./arguments.ts";
import { checkAuthorization } from "./conformance/authorization.ts";
import { checkInspector, checkLibrary, checkRemote } from "./conformance/hosts.ts";
import { SCENARIOS } from "./conformance/scenarios.ts";

const KNOWN_FAILURES = join(root, "tools", "cli", "conformance", "known-failures.yaml");

/** A key of the local fixtures. */
const API_KEY = "a0000000-0000-4000-8000-000000000001";

const COMMAND_LINE = {
  name: "check:mcp",
  help: "Runs the protocol's conformance suite, and hosts of agents, against /mcp of a temporary stack.",
  options: {},
};

/**
 * `npm run check:mcp`: runs the protocol's official conformance suite against `/mcp` of a temporary stack, in both
 * revisions that `/mcp` serves, and connects by the client library, the inspector and `mcp-remote`. Returns 0 only if every check passes, except the known failures.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  let failed = 0;
  const report = (isRight: boolean, what: string) => {
    failed += isRight ? 0 : 1;
    console.log(`${isRight ? "ok    " : "FAILED"} ${what}`);
  };
  const found = (fault: string | null, what: string) => {
    report(fault === null, what);
    if (fault !== null) console.log(fault);
  };
  for (const revision of Object.keys(SCENARIOS)) {
    const strangers = await strangersOf(revision);
    report(
      strangers.length === 0,
      `${revision} every scenario is run or has its reason${strangers.map((name) => `; not ${name}`).join("")}`,
    );
  }
  console.log("Starting a temporary stack for this check …");
  try {
    await withTemporaryStack("mcp", async ({ edge }) => {
      for (const [revision, { run: scenarios }] of Object.entries(SCENARIOS)) {
        for (const scenario of scenarios) {
          const options = ["server", "--url", `${edge}/mcp`, "--scenario", scenario, "--spec-version", revision];
          const code = await runTool("conformance", [...options, "--expected-failures", KNOWN_FAILURES], { quiet: true });
          report(code === 0, `${revision} ${scenario}`);
        }
        found(await checkAuthorization(edge, API_KEY, revision), `${revision} authorization server`);
        found(await checkLibrary(edge, API_KEY, revision), `${revision} the protocol's client library`);
        found(await checkInspector(edge, API_KEY, revision), `${revision} the protocol's inspector`);
      }
      for (const how of ["by a key", "by signing in"] as const) found(await checkRemote(edge, API_KEY, how), `mcp-remote ${how}`);
    });
  } catch (thrown) {
    console.error(`The check stopped: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return 1;
  }
  return failed === 0 ? 0 : 1;
}

/** Server scenarios that the suite requires and SCENARIOS does not list. */
async function strangersOf(revision: string): Promise<string[]> {
  const { output } = await captureTool("conformance", ["list", "--requirements", revision], { quiet: true });
  const [, ofServers = ""] = /Server scenarios[^\n]*\n((?: {2}- .+\n)*)/.exec(output) ?? [];
  const required = [...ofServers.matchAll(/- (\S+)/g)].map(([, name = ""]) => name);
  if (required.length === 0) return ["anything: the suite's list could not be read"];
  const { run: ours = [], leftOut = {} } = SCENARIOS[revision] ?? {};
  const known = new Set([...ours, ...Object.values(leftOut).flat()]);
  return required.filter((name) => !known.has(name));
}
