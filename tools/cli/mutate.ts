import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { root, runTool } from "../local/processes.ts";
import { readArguments } from "./arguments.ts";
import { EXPLAINED, type Explained } from "./mutation/explained.ts";

const CONFIG = join(root, "tools", "cli", "mutation", "stryker.config.json");
const REPORT = join(root, ".wrangler", "mutation.json");
/** The minimum percentage of noticeable changes that a test notices. */
const LEAST_KILLED = 90;

const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          status: z.string(),
          mutatorName: z.string(),
          replacement: z.string().optional(),
          location: z.object({ start: z.object({ line: z.int() }) }),
        }),
      ),
    }),
  ),
});

const COMMAND_LINE = {
  name: "mutate",
  help: `Changes the pure rules one operator at a time, runs their unit tests, and lists each change that no test notices.

Exit codes: 0 at least ${LEAST_KILLED}% noticed, and each of the others explained; 1 not; 2 wrong arguments.`,
  options: {},
  words: { usage: "[files..]", describe: "Only these; all unless said" },
};

interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly mutator: string;
  readonly replacement: string;
}

/**
 * `npm run mutate`: makes one small change at a time in the pure rules, runs their unit tests, and lists each change
 * that no test noticed. Fails below 90%, or if a change is neither noticed nor explained. About five minutes; arguments
 * are the files to change, default all.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const files = read.words;
  const rules = pureRules();
  const others = files.filter((file) => !rules.includes(file));
  if (others.length > 0) {
    console.error(
      `${others.join(", ")}: not among the pure rules, which unit tests hold. stryker.config.json in tools/cli/mutation lists them.`,
    );
    return 2;
  }
  // The tests of pages read types and tables that are built.
  const { ensureSite } = await import("../site/ensure.ts");
  await ensureSite();
  const only = files.length === 0 ? [] : ["--mutate", files.join()];
  const code = await runTool("stryker", ["run", CONFIG, ...only]);
  if (code !== 0) return code;
  const { killed, survivors } = readReport(REPORT);
  const unexplained = survivors.filter((survivor) => !EXPLAINED.some((explained) => covers(explained, survivor)));
  const share = (100 * killed) / Math.max(killed + survivors.length, 1);
  for (const { file, line, mutator, text, replacement } of unexplained) {
    console.log(`${file}:${line} ${mutator}\n    ${text}\n    survives as: ${replacement.replaceAll("\n", " ").slice(0, 100)}`);
  }
  console.log(
    `${killed} changes noticed, ${survivors.length} not (${share.toFixed(1)}%), ${unexplained.length} of them without an explanation.`,
  );
  if (unexplained.length > 0) console.log("Add a test for each, or say in tools/cli/mutation/explained.ts why none can notice it.");
  return unexplained.length === 0 && share >= LEAST_KILLED ? 0 : 1;
}

/** The files that unit tests alone hold, by their paths from the root. */
function pureRules(): readonly string[] {
  const { mutate } = z.object({ mutate: z.array(z.string()) }).parse(JSON.parse(readFileSync(CONFIG, "utf8")));
  return globSync(mutate, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
}

function readReport(path: string): { readonly killed: number; readonly survivors: readonly Survivor[] } {
  const report = reportSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  let killed = 0;
  const survivors: Survivor[] = [];
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    const lines = source.split("\n");
    for (const { status, mutatorName, replacement = "", location } of mutants) {
      if (status === "Killed" || status === "Timeout") killed += 1;
      if (status !== "Survived" && status !== "NoCoverage") continue;
      const { line } = location.start;
      survivors.push({ file, line, text: (lines[line - 1] ?? "").trim(), mutator: mutatorName, replacement });
    }
  }
  return { killed, survivors };
}

function covers({ file, text, mutator, replacement }: Explained, survivor: Survivor): boolean {
  return (
    file.test(survivor.file) &&
    text.test(survivor.text) &&
    (mutator === undefined || mutator.test(survivor.mutator)) &&
    (replacement === undefined || replacement.test(survivor.replacement))
  );
}
