import { globSync } from "node:fs";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { localSecrets, localVars } from "./sandbox/local-settings.ts";
import { MAX_LOCAL_CELLS } from "./tools/local/further-cells.ts";
import { PlainDiffs } from "./tools/local/plain-diffs.ts";
import { RepeatReporter } from "./tools/local/repeat-reporter.ts";
import { keepRuntimeMessages } from "./tools/local/runtime-messages.ts";
import { placeInSources, sourceBundle } from "./tools/local/source-bundle.ts";
import { seedOf } from "./tools/local/test-scale.ts";
import { machineTests, pageTests, unitTests } from "./tools/local/unit-tests.ts";

// Nothing here needs the network, and the runtime is not to look for it either.
Object.assign(process.env, localSecrets, { CLOUDFLARE_CF_FETCH_ENABLED: "false" });

/** Reached by what hangs only, however slow or busy the machine is. In milliseconds. */
const HANG = 120_000;
const waits = { poll: { timeout: HANG, interval: 20 } };

keepRuntimeMessages();

const isFull = process.env.TEST_SCALE === "full";

/** Proofs that take minutes, by the names of their files: in `npm run test:full`, and where a run names one. */
const longTests = isFull || process.env.LONG_TESTS === "named" ? [] : ["**/*.long.test.ts"];

/** What the tests try by chance: how many inputs `test/fuzz` tries, and the seed of all. Tests in Node.js read it, too. */
const chance = {
  FUZZ_INPUTS: process.env.FUZZ_INPUTS ?? (isFull ? "20000" : "1500"),
  TEST_SEED: String(seedOf(process.env.TEST_SEED, isFull)),
};
Object.assign(process.env, chance);

/** How many cells the Worker has: with several, neighbours are in different ones. A test that wants others binds them itself. */
const cells = Number(process.env.TEST_CELLS ?? "1");
if (!Number.isInteger(cells) || cells < 1 || cells > MAX_LOCAL_CELLS)
  throw new Error(`TEST_CELLS must be a whole number from 1 to ${MAX_LOCAL_CELLS}.`);
const furtherCells = Array.from({ length: cells - 1 }, (_, index) => `CELL_${index + 2}`);

const workerd = cloudflareTest(async () => ({
  wrangler: { configPath: "./wrangler.toml" },
  miniflare: {
    d1Databases: { SECOND_CELL: "second-cell", ...Object.fromEntries(furtherCells.map((binding) => [binding, binding.toLowerCase()])) },
    bindings: {
      ...localSecrets,
      ...localVars({ edge: "http://localhost:8787", processor: "http://sandbox.test:8788", bank: "http://sandbox.test:8788" }),
      // Where it matters that events of a payment are gathered, the test does it.
      EVENT_DEBOUNCE_MS: "0",
      PRINT_ROWS: process.env.PRINT_ROWS ?? "",
      TEST_SCALE: isFull ? "full" : "default",
      ...chance,
      UNIT_TESTS: JSON.stringify(globSync(unitTests)),
      DIRECTORY_MIGRATIONS: await readD1Migrations("./migrations/directory"),
      CELL_MIGRATIONS: await readD1Migrations("./migrations/cell"),
    },
  },
}));

/**
 * Leaves out the source maps of dependencies. They were built from sources that are not shipped, and each worker would
 * have to load them: some twentieth of what a run costs.
 */
const withoutForeignSourceMaps: Plugin = {
  name: "without-foreign-source-maps",
  enforce: "post",
  transform: (code, id) => (id.includes("/node_modules/") ? { code, map: { mappings: "" } } : undefined),
};

/** Files that take long for their size begin first among those of their project: otherwise they run alone at the end. */
const LONGEST = [
  "test/stack/chaos.long.test.ts",
  "test/stack/deploy.test.ts",
  "test/stack/console.test.ts",
  "test/subscriptions/renewals.test.ts",
  "test/idempotency/model.test.ts",
  "test/ledger/convergence.test.ts",
  "test/http/call-examples.test.ts",
];
const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));

/** A project's files stay together: its workers start once. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not the array's
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

export default defineConfig({
  // A dependency ships source maps without their sources; Vite would say so for each of its files.
  logLevel: "error",
  test: {
    // A watched run has the tests that it was given again: the runner does not see which of them reach a source of the bundle.
    forceRerunTriggers: ["**/package.json", "**/vitest.config.ts", "**/src/**/*.ts", "**/sandbox/**/*.ts"],
    silent: "passed-only",
    reporters: [
      ...(process.stdout.isTTY ? [] : [new PlainDiffs()]),
      "default",
      ...(process.env.GITHUB_ACTIONS === "true" ? ["github-actions"] : []),
      new RepeatReporter(),
    ],
    onStackTrace: (_error, frame) => placeInSources(frame),
    sequence: { sequencer: LongestFirst },
    // Much of the time is spent waiting for processes and pages, so more workers than two cores pay.
    maxWorkers: 4,
    projects: [
      {
        logLevel: "error",
        plugins: [workerd, sourceBundle(), withoutForeignSourceMaps],
        test: {
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: [...machineTests, ...pageTests, ...longTests],
          // Files share workers, which support/setup.ts empties for each: to start one takes longer than most of them.
          isolate: false,
          // With a cache on disk, which the runtime cannot read, the runner would send all modules of a file's graph to its
          // worker before each file: two seconds a file, most of which the worker has.
          fsModuleCache: false,
          setupFiles: ["./test/support/setup.ts"],
          testTimeout: 2 * HANG,
          hookTimeout: 2 * HANG,
          expect: waits,
        },
      },
      { test: { name: "pages", include: pageTests, environment: "node", isolate: false } },
      // The tests of pure rules, where they alone are named: without a runtime they take a second. A whole run has them in workerd.
      { test: { name: "unit", include: unitTests, environment: "node", isolate: false, setupFiles: ["./test/support/node.ts"] } },
      {
        test: {
          name: "machine",
          include: machineTests,
          exclude: longTests,
          environment: "node",
          // Files share workers: to read the modules anew for each costs a fifth of what the short ones take.
          isolate: false,
          globalSetup: ["./test/stack/shared-stack.setup.ts"],
          // `npm test` has built it: no stack that a test starts need do so again.
          env: { SITE: "built" },
          testTimeout: 5 * HANG,
          hookTimeout: 5 * HANG,
          // Each look is a request to a stack, or loads a page.
          expect: { poll: { ...waits.poll, interval: 100 } },
        },
      },
    ],
  },
});
