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

/**
 * Prepares a fresh clone for `npx wrangler dev`: settings, migrated databases and fixtures, on the port and in the
 * state directory of its command line. It also reports missing parts.
 * @throws Error if the databases could not be prepared
 */
export async function prepareLocal(): Promise<void> {
  const { port, stateDir } = devArgumentsAbove();
  const sandboxPort = Number(process.env.SANDBOX_PORT ?? SANDBOX_PORT);
  const sandbox = `http://localhost:${sandboxPort}`;
  writeSettings({ edge: `http://localhost:${port ?? PORT}`, sandbox });
  await prepareDatabases(stateDir === null ? STATE : resolve(stateDir), sandbox);
  if (await isTaken(sandboxPort)) return;
  const settings = [...(port === null ? [] : [`PORT=${port} `]), ...(sandboxPort === SANDBOX_PORT ? [] : [`SANDBOX_PORT=${sandboxPort} `])];
  console.log(
    `The processor, the bank and receivers are not there: start them in another terminal with \`${settings.join("")}npm run sandbox\`,\n` +
      "which also prints a link that signs in to the dashboard; or end this and run `npm run dev`, which starts both.",
  );
}

/** The addresses that the settings are for. */
interface Addresses {
  readonly edge: string;
  readonly sandbox: string;
}

/** Writes the settings, unless a person has changed them. */
function writeSettings(wanted: Addresses): void {
  const written = existsSync(SETTINGS) ? readFileSync(SETTINGS, "utf8") : null;
  const inFile = (name: string) => new RegExp(`^${name}='(.*)'$`, "m").exec(written ?? "")?.[1];
  const { edge = wanted.edge, sandbox = wanted.sandbox } = { edge: inFile("API_ORIGIN"), sandbox: inFile("PROCESSOR_API_BASE") };
  if (written !== null && edge === wanted.edge && sandbox === wanted.sandbox) return;
  if (written === null || written === settingsFor({ edge, sandbox })) {
    writeFileSync(SETTINGS, settingsFor(wanted));
    console.log(`Local settings for ${wanted.edge} and a sandbox at ${wanted.sandbox} were written to .dev.vars.`);
    return;
  }
  if (edge !== wanted.edge)
    console.log(
      `.dev.vars says that this Worker is at ${edge}, and it serves on ${wanted.edge}: change API_ORIGIN and SHORT_LINK_ORIGIN there.`,
    );
  if (sandbox !== wanted.sandbox)
    console.log(`.dev.vars says that the processor is at ${sandbox}, not ${wanted.sandbox}: it is asked there.`);
}

function settingsFor({ edge, sandbox }: Addresses): string {
  const settings = { ...localVars({ edge, processor: sandbox, bank: sandbox }), ...localSecrets };
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  return `# For \`npx wrangler dev\`: public values for local use. Yours, if you change them.\n${lines.join("")}`;
}

async function prepareDatabases(stateDir: string, sandbox: string): Promise<void> {
  const mark = join(stateDir, "prepared");
  const wanted = migrationFiles();
  // Each code change triggers a build; the databases stay.
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  mkdirSync(stateDir, { recursive: true });
  const code = await runTool(join(root, "tools", "local", "seed.ts"), [stateDir, sandbox, "fixtures"], { quiet: true });
  if (code !== 0) throw new Error("the local databases could not be migrated, or the fixtures not loaded");
  writeFileSync(mark, wanted);
  console.log("The local databases have partners, keys and products to try: docs/test-data.md lists them.");
}

function migrationFiles(): string {
  const names = readdirSync(join(root, "migrations"), { recursive: true, encoding: "utf8" });
  return names.toSorted((one, other) => one.localeCompare(other)).join("\n");
}
