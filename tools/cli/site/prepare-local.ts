import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { localSecrets, localVars } from "../../../sandbox/local-settings.ts";
import { isTaken, root, runTool } from "../../local/processes.ts";
import { devArgumentsAbove } from "../../local/wrangler-arguments.ts";

/** Where `npx wrangler dev` reads its settings, and its usual state directory and port. */
const SETTINGS = join(root, ".dev.vars");
const STATE = join(root, ".wrangler", "state");
const PORT = 8787;
const SANDBOX_PORT = 8788;
const SANDBOX = `http://localhost:${SANDBOX_PORT}`;

/**
 * Prepares a fresh clone for `npx wrangler dev`: settings, migrated databases and fixtures, on the port and in the
 * state directory of its command line. It also reports missing parts.
 * @throws Error if the databases could not be prepared
 */
export async function prepareLocal(): Promise<void> {
  const { port, stateDir } = devArgumentsAbove();
  writeSettings(`http://localhost:${port ?? PORT}`);
  await prepareDatabases(stateDir === null ? STATE : resolve(stateDir));
  if (!(await isTaken(SANDBOX_PORT))) {
    const settings = port === null ? "" : `PORT=${port} `;
    console.log(
      `The processor, the bank and receivers are not there: start them in another terminal with \`${settings}npm run sandbox\`,\n` +
        "or end this and run `npm run dev`, which starts both.",
    );
  }
}

/** Writes the settings, unless a person has changed them. */
function writeSettings(edge: string): void {
  const written = existsSync(SETTINGS) ? readFileSync(SETTINGS, "utf8") : null;
  const origin = /^API_ORIGIN='(.*)'$/m.exec(written ?? "")?.[1] ?? edge;
  if (written !== null && origin === edge) return;
  if (written === null || written === settingsFor(origin)) {
    writeFileSync(SETTINGS, settingsFor(edge));
    console.log(`Local settings for ${edge} were written to .dev.vars.`);
    return;
  }
  console.log(`.dev.vars says that this Worker is at ${origin}, and it serves on ${edge}: change API_ORIGIN and SHORT_LINK_ORIGIN there.`);
}

function settingsFor(edge: string): string {
  const settings = { ...localVars({ edge, processor: SANDBOX, bank: SANDBOX }), ...localSecrets };
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  return `# For \`npx wrangler dev\`: public values for local use. Yours, if you change them.\n${lines.join("")}`;
}

async function prepareDatabases(stateDir: string): Promise<void> {
  const mark = join(stateDir, "prepared");
  const wanted = migrationFiles();
  // Each code change triggers a build; the databases stay.
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  mkdirSync(stateDir, { recursive: true });
  const code = await runTool(join(root, "tools", "local", "seed.ts"), [stateDir, SANDBOX, "fixtures"], { quiet: true });
  if (code !== 0) throw new Error("the local databases could not be migrated, or the fixtures not loaded");
  writeFileSync(mark, wanted);
  console.log("The local databases have partners, keys and products to try: docs/sandbox.md lists them.");
}

function migrationFiles(): string {
  const names = readdirSync(join(root, "migrations"), { recursive: true, encoding: "utf8" });
  return names.toSorted((one, other) => one.localeCompare(other)).join("\n");
}
