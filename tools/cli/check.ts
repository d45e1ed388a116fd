import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { changedFiles } from "../local/changed.ts";
import { missingTool, root, runTool } from "../local/processes.ts";
import { readArguments } from "./arguments.ts";
import { checkBindings } from "./check/bindings.ts";
import { dangersOfMigrations, matchesSchema } from "./migration.ts";
import { run as describeSchema } from "./schema.ts";
import { run as checkShapes } from "./shapes.ts";

interface Check {
  readonly name: string;
  readonly what: string;
  /** A tool that is installed apart. Without it the check is left out, and a line says how to get it. */
  readonly needs?: string;
  /** The files that can make it fail, by their paths. With `--changed` it runs if one of them changed. */
  readonly concerns: RegExp;
  /** Checks everything, or these files where it can look at files one by one. */
  run(files: readonly string[]): Promise<number>;
}

const quiet = { quiet: true };

/** What checks keep for their next run. */
const KEPT = join(root, ".wrangler", "check");

/**
 * Checks the types of projects, one after the other. What a project had is kept: an unchanged one takes a second. Each further checker
 * of the compiler resolves the types that files share again, which is half of the work: the other core has another check.
 */
async function checkTypes(...projects: string[]): Promise<number> {
  for (const project of projects) {
    const info = join(KEPT, `${project.replaceAll(/\W/g, "-")}.tsbuildinfo`);
    const code = await runTool(
      "tsc",
      ["--project", project, "--checkers", "1", "--noEmit", "--emitDeclarationOnly", "false", "--incremental", "--tsBuildInfoFile", info],
      quiet,
    );
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * Lints the changed files, if all of them are TypeScript. Otherwise it lints everything: a file of JavaScript has its types from what
 * imports it, and a configuration is a rule for others.
 */
function lint(changed: readonly string[]): Promise<number> {
  const concerned = changed.filter((file) => LINTED.test(file));
  const files = concerned.every((file) => /^(?!oxlint).*\.tsx?$/.test(file)) ? concerned : [];
  return runTool("oxlint", ["--deny-warnings", "--no-error-on-unmatched-pattern", ...files], quiet);
}

const LINTED = /\.(?:tsx?|mjs)$|(?:^|\/)tsconfig\.json$/;
const CODE = /\.(?:tsx?|mjs|json)$/;
const PAGES = /^(?:dashboard|src|test\/pages|tools\/site)\/|(?:^|\/)(?:tsconfig|package-lock)\.json$/;

/** A pipe gets no colours, and this tool does not see that it writes to one. */
const COLORS = `--colors=${process.stderr.isTTY ? "force" : "off"}`;

/** The longest first: two run side by side. */
const CHECKS: readonly Check[] = [
  {
    name: "lint",
    what: "correctness and layers",
    concerns: LINTED,
    run: lint,
  },
  {
    name: "bindings",
    what: "the Workers' bindings are those of their configurations",
    concerns: /^(?:wrangler|src\/|tsconfig|package-lock|tools\/cli\/check)/,
    run: checkBindings,
  },
  {
    name: "format",
    what: "format and basic lint",
    concerns: /./,
    run: (files) =>
      runTool(
        "biome",
        [
          "ci",
          "--error-on-warnings",
          "--no-errors-on-unmatched",
          COLORS,
          ...(files.length === 0 || files.includes("biome.json") ? ["."] : files),
        ],
        quiet,
      ),
  },
  { name: "types", what: "types of the Worker, its tests and the sandbox", concerns: CODE, run: () => checkTypes(".") },
  {
    name: "types-of-commands",
    what: "types of the commands and of what partners install",
    concerns: CODE,
    // The client knows no runtime but the web's, and so has a project of its own.
    run: () => checkTypes("tools", "packages/sdk"),
  },
  {
    name: "types-of-dashboard",
    what: "types of the dashboard and of the console",
    concerns: PAGES,
    // Each of the two applications has routes of its own, and so a project of its own; the tests of their logic need neither.
    run: () => checkTypes("dashboard", "dashboard/src/ops", "test/pages"),
  },
  {
    name: "spelling",
    what: "spelling",
    needs: "cspell",
    concerns: /./,
    // Its configuration says which files have words of ours; with what it kept, all of them take three seconds.
    run: () =>
      runTool(
        "cspell",
        ["lint", "--no-progress", "--no-summary", "--config", "cspell.json", "--cache", "--cache-location", join(KEPT, "spelling")],
        quiet,
      ),
  },
  {
    name: "schema",
    what: "docs/schema.md says what the schema says",
    concerns: /^(?:src\/db\/schema\/|docs\/schema\.md)/,
    run: () => describeSchema(["--check"]),
  },
  {
    name: "shapes",
    what: "the processor's shapes are those of its library",
    concerns: /^(?:sandbox\/processor\/shape|tools\/cli\/shapes|package-lock)/,
    run: () => checkShapes(["--check"]),
  },
  {
    name: "dead-code",
    what: "dead code and unused dependencies",
    needs: "knip",
    concerns: /\.(?:tsx?|mjs)$|package\.json$|^knip\.json$/,
    run: () => runTool("knip", ["--cache", "--cache-location", join(KEPT, "dead-code")], quiet),
  },
  { name: "openapi", what: "the API description, linted", concerns: /^(?:src|tools\/site)\//, run: checkDescription },
  {
    name: "migrations",
    what: "migrations match the schema",
    concerns: /^(?:migrations|src\/db\/schema|tools\/cli\/migration)/,
    run: checkMigrations,
  },
  { name: "bundle", what: "the deployable bundles", concerns: /^(?:src\/|wrangler|package-lock)/, run: checkBundles },
];

/** Most checks use one core each, and some wait for files. */
const AT_ONCE = 2;

const OPTIONS = {
  changed: { type: "boolean", default: false, describe: "Only what concerns the files that differ from the last commit" },
} as const;

const COMMAND_LINE = {
  name: "check",
  help: "Checks types, style, layers, dead code, the API description, migrations and the bundle.",
  options: OPTIONS,
  words: { usage: "[checks..]", describe: "Only these; all unless said", choices: CHECKS.map(({ name }) => name) },
};

/**
 * `npm run check`: all static checks of the code, only the named ones, or those that a change concerns; two at a time. It continues
 * after a failure, to show all failures.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const names = read.words;
  // The pages and the types of their calls are made once, before checks that read them run side by side.
  const { ensureSite } = await import("../site/ensure.ts");
  await ensureSite();
  const changed = read.options.changed ? changedFiles() : [];
  if (read.options.changed && changed.length === 0) return nothingChanged();
  const files = changed.filter((file) => existsSync(join(root, file)));
  const waiting = CHECKS.filter(({ name }) => names.length === 0 || names.includes(name)).filter(
    ({ concerns }) => !read.options.changed || changed.some((file) => concerns.test(file)),
  );
  console.log(`Checks: ${waiting.map(({ name }) => name).join(", ")}. Two run at a time.`);
  let [failed, left] = [0, 0];
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const missing = check.needs === undefined ? null : missingTool(check.needs);
      if (missing !== null) {
        console.log(`left   ${check.what}: ${missing}`);
        left += 1;
        // Asked for by its name, it has to run.
        failed += names.includes(check.name) ? 1 : 0;
        continue;
      }
      const startedAt = performance.now();
      const code = await check.run(files);
      failed += code === 0 ? 0 : 1;
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${check.what} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const passed = left === 0 ? "Every check passed." : `Every check that ran passed; ${left} were left out.`;
  console.log(failed === 0 ? passed : `Failed: ${failed}.`);
  return failed === 0 ? 0 : 1;
}

function nothingChanged(): number {
  console.log("No file differs from the last commit.");
  return 0;
}

/** Lints the API description that `/openapi.json` serves. */
function checkDescription(): Promise<number> {
  const config = join(root, "tools", "site", "redocly.yaml");
  return runTool("redocly", ["lint", join(root, "public", "openapi.json"), "--config", config], {
    quiet: true,
    env: { REDOCLY_TELEMETRY: "off" },
  });
}

/**
 * Generates migrations into a copy of the committed ones; there must be nothing to add. None may break the build that
 * runs while it is applied.
 */
async function checkMigrations(): Promise<number> {
  const dangers = dangersOfMigrations();
  for (const danger of dangers) console.error(danger);
  if (dangers.length > 0) {
    console.error("Add what is new first, and take away what is old a release later (docs/development.md, migrations).");
    return 1;
  }
  return inTemporaryFolder(async (folder) => {
    const copy = join(folder, "migrations");
    cpSync(join(root, "migrations"), copy, { recursive: true });
    if (await matchesSchema(relative(root, copy))) return 0;
    console.error("The schema has changed without a migration. Make one: npm run migration -- what_changes");
    return 1;
  });
}

const sourceMapSchema = z.object({ sources: z.array(z.string()).min(1) });

/** What the Worker of the short links may have, compressed, in bytes: a customer's first click waits for it. */
const MOST_OF_LINKS = 20 * 1_024;

/** Builds both deployable bundles and checks every source file in them: of our files, only those in `src` are allowed. */
async function checkBundles(): Promise<number> {
  const code = await checkBundle("wrangler.toml", "worker.js");
  return code === 0 ? checkBundle("wrangler.links.toml", "links-worker.js", MOST_OF_LINKS) : code;
}

async function checkBundle(config: string, bundle: string, atMost = Number.POSITIVE_INFINITY): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const code = await runTool("wrangler", ["deploy", "--config", config, "--dry-run", "--outdir", folder], { quiet: true });
    if (code !== 0) return code;
    const size = gzipSync(readFileSync(join(folder, bundle)), { level: 9 }).length;
    if (size > atMost) {
      console.error(`The bundle of ${config} has ${size} bytes compressed, and may have ${atMost}.`);
      return 1;
    }
    const { sources } = sourceMapSchema.parse(JSON.parse(readFileSync(join(folder, `${bundle}.map`), "utf8")));
    const files = sources.map((source) => relative(root, resolve(folder, source)).replaceAll("\\", "/"));
    const strangers = files.filter((file) => /^(sandbox|test|tools)\//.test(file) || file.includes("/zod-openapi/"));
    for (const file of strangers) console.error(`The bundle contains ${file}, which is for development, or only describes the Worker.`);
    if (!files.some((file) => file.startsWith("src/")))
      console.error("The bundle's source map names no file of ours, so nothing could be checked.");
    return strangers.length === 0 && files.some((file) => file.startsWith("src/")) ? 0 : 1;
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
