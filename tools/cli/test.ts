import { accessSync, constants, globSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { relative, resolve } from "node:path";

import { chromiumPath } from "../local/chromium.ts";
import { root, runTool } from "../local/processes.ts";
import { RUNTIME_MESSAGES } from "../local/runtime-messages.ts";
import { seedOf } from "../local/test-scale.ts";
import { pageTests, unitTests } from "../local/unit-tests.ts";
import { readArguments } from "./arguments.ts";

const OPTIONS = {
  testNamePattern: { type: "string", alias: "t", requiresArg: true, describe: "Only tests with these words in their names" },
  project: {
    choices: ["workerd", "pages", "machine"],
    requiresArg: true,
    describe: "Only the tests in the Workers runtime, of the pages' logic, or of processes",
  },
  changed: { type: "boolean", describe: "Only the tests of files that differ from the last commit, and of those that import them" },
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

/** Whether only files with tests of pure rules and of the pages' logic are named: they read nothing that is built, and need no runtime. */
export function isOnlyPure(args: readonly string[]): boolean {
  const files = args.filter((arg) => arg.endsWith(".test.ts"));
  const pure = globSync([...unitTests, ...pageTests], { cwd: root });
  return files.length > 0 && files.every((file) => pure.some((path) => path === relative(root, resolve(root, file))));
}

/** Pure rules alone run in Node.js; in any other run they are in workerd, as the Worker is. */
export function projectsOf(args: readonly string[], isPure: boolean): readonly string[] {
  if (args.some((arg) => arg.startsWith("--project"))) return [];
  return isPure ? ["--project=unit", "--project=pages"] : ["--project=!unit"];
}

async function test(args: readonly string[], scale: "default" | "full"): Promise<number> {
  const read = readArguments(args, {
    name: scale === "full" ? "test:full" : "test",
    help: `Runs all tests, the long proofs ${scale === "full" ? "in full" : "in part"}.`,
    options: OPTIONS,
    words: WORDS,
  });
  if ("exit" in read) return read.exit;
  // The tests read the built site; those of pure rules and of the pages' logic alone do not.
  const { ensureSite } = await import("../site/ensure.ts");
  const isPure = isOnlyPure(args);
  if (!isPure) await ensureSite();
  process.env.TEST_SCALE = scale;
  process.env.TMPDIR = placeForStores();
  const seed = seedOf(process.env.TEST_SEED, scale === "full");
  process.env.TEST_SEED = String(seed);
  const started = performance.now();
  const code = await runTool("vitest", ["run", ...projectsOf(args, isPure), ...args.filter((arg) => arg !== "--")], {
    atMost: HANG[scale],
  });
  if (performance.now() - started >= HANG[scale])
    console.error(
      `The tests hung and were ended after ${HANG[scale] / 60_000} minutes. The files that hang are those without a line above.`,
    );
  const again = scale === "full" ? `TEST_SEED=${seed} npm run test:full --` : "npm test --";
  if (code !== 0) console.log(`What the Workers runtime said during the run is in ${relative(root, RUNTIME_MESSAGES)}.`);
  if (code !== 0) console.log(`To run one file alone: ${again} <file>; one test of it: ${again} <file> -t '<words of its name>'.`);
  if (scale === "full") console.log(`What is tried by chance had the seed ${seed}.`);
  else console.log("The long proofs tried one in eight of their cases; npm run test:full tries all.");
  if (chromiumPath === undefined) console.log("No Chromium was found, so the tests of pages were skipped (set its path with CHROMIUM=…).");
  return code;
}
