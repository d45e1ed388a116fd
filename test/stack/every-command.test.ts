import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { root } from "../../tools/local/processes.ts";
import { startCommand } from "./command.ts";
import { isFull } from "./scale.ts";

/** Every command works, and goes on working: `npm run test:full` starts each in a short form. */

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

/** The arguments of a short form, and words of what it prints. */
const SHORT: Readonly<Record<string, readonly [args: readonly string[], says: RegExp]>> = {
  bench: [["start"], /ms above it/],
  chaos: [["--minutes", "0.2"], /every promise was kept/i],
  check: [[], /ok {5}the deployable bundle/],
  demo: [[], /Every step passed/],
  deploy: [["--dry-run"], /It can be deployed/],
  format: [[], /No fixes applied/],
  fuzz: [["--inputs", "200"], /tests? /i],
  migration: [["nothing_changes"], /^$/],
  mutate: [["src/core/money.ts"], /changes noticed/],
  schema: [["--check"], /^$/],
  seed: [["--payments", "10", "--days", "5"], /Done/],
  shapes: [["--check"], /^$/],
  site: [[], /^$/],
  test: [["test/core/money.test.ts"], /passed/],
  "test:full": [["test/core/money.test.ts"], /passed/],
};

/** These are carried out by other tests, because they need a service, run until Ctrl-C, or change files. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "check:mcp": "test/stack/conformance.test.ts",
  dev: "test/stack/stack.test.ts",
  doctor: "test/stack/deploy.test.ts",
  ops: "test/stack/documentation.test.ts",
  partner: "test/stack/documentation.test.ts",
  sandbox: "test/stack/interruption.test.ts",
  smoke: "test/stack/deploy.test.ts",
  "verify:bank": "test/stack/verify.test.ts",
  "verify:processor": "test/stack/verify.test.ts",
};

/** They run all tests, or write the pictures of docs/: a person runs them. */
const BY_HAND = ["pictures", "test:repeat"];

it("every command of package.json is tried somewhere", () => {
  expect([...Object.keys(SHORT), ...Object.keys(ELSEWHERE), ...BY_HAND].toSorted()).toEqual(Object.keys(scripts).toSorted());
  for (const file of Object.values(ELSEWHERE)) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
});

describe.runIf(isFull)("a command in its short form", () => {
  it.each(Object.entries(SHORT))("npm run %s", async (name, [args, says]) => {
    const stateDir = await mkdtemp(join(tmpdir(), "partner-payments-command-"));
    try {
      const { code, output } = await startCommand(name, args, { STATE_DIR: stateDir, SITE: undefined, TEST_SCALE: undefined });
      expect([code, output]).toEqual([0, expect.stringMatching(says)]);
    } finally {
      await rm(stateDir, { recursive: true, force: true });
    }
  });
});
