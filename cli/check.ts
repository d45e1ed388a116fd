import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, runTool } from "./processes.ts";

type Check = readonly [what: string, run: () => Promise<number>];

/** In the order in which a failure is cheapest to learn of. */
const CHECKS: readonly Check[] = [
  ["format and basic lint", () => runTool("biome", ["ci", "--error-on-warnings", "."], { quiet: true })],
  ["types of the Worker, its tests and the sandbox", () => runTool("tsc", ["--project", "."], { quiet: true })],
  ["types of the commands", () => runTool("tsc", ["--project", "cli"], { quiet: true })],
  ["correctness and layers", () => runTool("oxlint", ["--deny-warnings"], { quiet: true })],
  ["dead code and unused dependencies", () => runTool("knip", [], { quiet: true })],
  ["migrations say what the schema says", checkMigrations],
  ["the deployable bundle", checkBundle],
];

/** `npm run check`: everything that can be said of the code without running it. Goes on after a failure, to show all. */
export async function run(): Promise<number> {
  let failed = 0;
  for (const [what, check] of CHECKS) {
    const startedAt = performance.now();
    const code = await check();
    failed += code === 0 ? 0 : 1;
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${what} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  }
  return failed === 0 ? 0 : 1;
}

/** Generates migrations beside the committed ones: a new file means that the schema has moved on without one. */
async function checkMigrations(): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const copy = join(folder, "migrations");
    cpSync(join(root, "migrations"), copy, { recursive: true });
    const before = readdirSync(copy).length;
    const schema = join(root, "src", "db", "schema", "index.ts");
    const code = await runTool("drizzle-kit", ["generate", "--dialect", "sqlite", "--schema", schema, "--out", copy], { quiet: true });
    if (code !== 0) return code;
    if (readdirSync(copy).length === before) return 0;
    console.error("The schema has changed without a migration. Make one: npx drizzle-kit generate --name what_changes");
    return 1;
  });
}

/** What must not be in a deployed Worker: the sandbox, its faults, and every secret for local use. */
const FORBIDDEN = ["refuse_method", "/control/", "injected fault", "acmeLiveUsd1"];

async function checkBundle(): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const code = await runTool("wrangler", ["deploy", "--dry-run", "--outdir", folder], { quiet: true });
    if (code !== 0) return code;
    const bundle = readFileSync(join(folder, "worker.js"), "utf8");
    const found = FORBIDDEN.filter((text) => bundle.includes(text));
    for (const text of found) console.error(`The bundle contains ${JSON.stringify(text)}, which belongs to the sandbox.`);
    return found.length === 0 ? 0 : 1;
  });
}

async function inTemporaryFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "partner-payments-check-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
