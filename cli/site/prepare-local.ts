import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isTaken, root, runTool } from "../../local/processes.ts";
import { localSecrets, localVars } from "../../sandbox/local-settings.ts";

/** Where `npx wrangler dev` reads its settings and keeps its state, and its usual addresses. */
const SETTINGS = join(root, ".dev.vars");
const STATE = join(root, ".wrangler", "state");
const EDGE = "http://localhost:8787";
const SANDBOX_PORT = 8788;
const SANDBOX = `http://localhost:${SANDBOX_PORT}`;

/**
 * What `npx wrangler dev` needs by itself in a fresh clone: settings, and databases that are migrated and have fixtures.
 * It also says what is missing beside it. @throws Error if the databases could not be prepared
 */
export async function prepareLocal(): Promise<void> {
  if (!existsSync(SETTINGS)) {
    const settings = { ...localVars({ edge: EDGE, processor: SANDBOX, bank: SANDBOX }), ...localSecrets };
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(SETTINGS, `# For \`npx wrangler dev\`: public values for local use. Yours, if you change them.\n${lines.join("")}`);
    console.log("Local settings were written to .dev.vars.");
  }
  const mark = join(STATE, "prepared");
  const wanted = migrationFiles();
  // Each change of the code builds anew: the databases are as they were.
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== wanted) {
    mkdirSync(STATE, { recursive: true });
    const code = await runTool(join(root, "local", "seed.ts"), [STATE, SANDBOX, "fixtures"], { quiet: true });
    if (code !== 0) throw new Error("the local databases could not be migrated, or the fixtures not loaded");
    writeFileSync(mark, wanted);
    console.log("The local databases have partners, keys and products to try: docs/sandbox.md lists them.");
  }
  if (!(await isTaken(SANDBOX_PORT))) {
    console.log(
      "The processor, the bank and receivers are not there: start them in another terminal with `npm run sandbox`,\n" +
        "or end this and run `npm run dev`, which starts both.",
    );
  }
}

function migrationFiles(): string {
  const names = readdirSync(join(root, "migrations"), { recursive: true, encoding: "utf8" });
  return names.toSorted((one, other) => one.localeCompare(other)).join("\n");
}
