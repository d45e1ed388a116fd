import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { changedFiles, importersOf, testsOf } from "../local/changed.ts";
import { chromiumPath } from "../local/chromium.ts";
import { OFFLINE, root, runTool, tool } from "../local/processes.ts";
import { RUNTIME_MESSAGES } from "../local/runtime-messages.ts";
import { areLong, kindOf, projectsOf } from "../local/test-kinds.ts";
import { seedOf } from "../local/test-scale.ts";
import { readArguments } from "./arguments.ts";

const OPTIONS = {
  testNamePattern: { type: "string", alias: "t", requiresArg: true, describe: "Only tests with these words in their names" },
  project: {
    choices: ["workerd", "pages", "machine"],
    requiresArg: true,
    describe: "Only the tests in the Workers runtime, of the pages' logic, or of processes",
  },
  changed: { type: "boolean", describe: "Only the own tests of files that differ from the last commit" },
  all: { type: "boolean", implies: "changed", describe: "With --changed: every test that reaches what differs" },
  watch: { type: "boolean", alias: "w", describe: "Run the named files again whenever one that they import is saved" },
  update: { type: "boolean", alias: "u", describe: "Write the snapshots again" },
  bail: { type: "number", requiresArg: true, describe: "Stop after so many failures" },
  silent: { choices: ["true", "false", "passed-only"], describe: "Whether to print what the tests log" },
  reporter: { type: "string", array: true, requiresArg: true, describe: "How results are printed" },
} as const;

const WORDS = { usage: "[files..]", describe: "Only test files whose paths contain these; after --, any argument of the test runner" };

/** `npm test`: every test, in the Workers runtime; the long proofs with a part of their cases. */
export function run(args: readonly string[]): Promise<number> {
  return test(args, "default");
}

/** `npm run test:full`: the same, with all cases of the long proofs. */
export function runFull(args: readonly string[]): Promise<number> {
  return test(args, "full");
}

/** The time limit in milliseconds, which only a hanging run reaches, however slow or busy the machine is. */
const HANG = { default: 45 * 60_000, full: 4 * 60 * 60_000 };

/** Free memory that the databases of all tests take at most, in bytes. */
const ROOM = 2 * 1024 ** 3;

/** Where the tests' databases are: in memory, where the system has such a place. They are thrown away afterwards. */
function placeForStores(): string {
  const inMemory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    accessSync(inMemory, constants.W_OK);
    return bavail * bsize > ROOM ? inMemory : tmpdir();
  } catch {
    return tmpdir(); // There is no such place.
  }
}

/** A folder for all that the tests write. Nothing of it is left afterwards, even if a test forgets to delete a file. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(placeForStores(), "partner-payments-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Runs the tests again after each save, until Ctrl-C. The runner has the terminal: it takes keys. */
function watch(args: readonly string[]): Promise<number> {
  const runner = spawn(process.execPath, [tool("vitest"), "watch", ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...OFFLINE },
  });
  return new Promise((resolve, reject) => {
    runner.once("error", reject);
    runner.once("close", (code) => resolve(code ?? 1));
  });
}

/** The arguments of the test runner: all but ours, and whatever stands after a second `--` (npm takes the first one). */
function forRunner(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const [before, after] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  return [...before.filter((arg) => !/^(?:--(?:no-)?(?:watch|changed|all)(?:=|$)|-w$)/.test(arg)), ...after];
}

/** The test files of what changed. Says what it leaves out. */
function ofChanged(all: boolean): readonly string[] {
  const changed = changedFiles();
  const { own, others } = testsOf(changed, importersOf());
  const files = all ? [...own, ...others] : own;
  if (changed.length === 0) console.log("No file differs from the last commit: npm test runs all.");
  else if (own.length + others.length === 0) console.log(`No test imports what changed (${changed.length} files): npm test runs all.`);
  else console.log(`Test files: ${files.length}. Changed files: ${changed.length}.`);
  if (!all && others.length > 0) console.log(`${others.length} more reach what changed: npm test -- --changed --all runs them too.`);
  return files;
}

async function test(args: readonly string[], scale: "default" | "full"): Promise<number> {
  const read = readArguments(args, {
    name: scale === "full" ? "test:full" : "test",
    help: `Runs all tests, the long proofs ${scale === "full" ? "in full" : "in part"}.`,
    options: OPTIONS,
    words: WORDS,
  });
  if ("exit" in read) return read.exit;
  if (read.options.watch === true && read.words.length === 0 && read.options.changed !== true) {
    console.error("Name the files to run again and again, as in npm test -- test/links/cart.test.ts --watch.");
    return 2;
  }
  if (read.options.changed === true && read.words.length > 0) {
    console.error("--changed chooses the files itself: name none beside it.");
    return 2;
  }
  const files = read.options.changed === true ? ofChanged(read.options.all === true) : read.words;
  if (read.options.changed === true && files.length === 0) return 0;
  const kind = kindOf(files);
  // What is built is read: the whole site by tests of processes, the documents by some of the Worker.
  const { ensureSite } = await import("../site/ensure.ts");
  if (kind !== "pure") await ensureSite(kind === "any" ? "all" : "documents");
  process.env.TEST_SCALE = scale;
  if (areLong(files)) process.env.LONG_TESTS = "named";
  process.env.TMPDIR = temporaryFolder();
  const seed = seedOf(process.env.TEST_SEED, scale === "full");
  process.env.TEST_SEED = String(seed);
  const toRunner = [...projectsOf(args, kind), ...forRunner(args), ...(read.options.changed === true ? files : [])];
  if (read.options.watch === true) return watch(toRunner);
  const started = performance.now();
  const code = await runTool("vitest", ["run", ...toRunner], { atMost: HANG[scale] });
  if (performance.now() - started >= HANG[scale])
    console.error(
      `The tests hung and were ended after ${HANG[scale] / 60_000} minutes. The files that hang are those without a line above.`,
    );
  if (code !== 0) console.log(`What the Workers runtime said during the run is in ${relative(root, RUNTIME_MESSAGES)}.`);
  if (scale === "full") console.log(`What is tried by chance had the seed ${seed}.`);
  else if (kind !== "pure")
    console.log("Long proofs are left out, or try a part of their cases, always the same; npm run test:full tries all.");
  if (kind === "any" && chromiumPath === undefined)
    console.log("No Chromium was found, so the tests of pages were skipped (set its path with CHROMIUM=…).");
  return code;
}
