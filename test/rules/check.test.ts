import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../tools/local/processes.ts";
import { isFull } from "../stack/scale.ts";

/** A copy of the project with one breach for each check of `npm run check` that the linters' own test does not cover. */
const CHECKS = ["types", "types-of-commands", "dead-code", "migrations", "bundle"];

let copy = "";
let output = "";

async function append(file: string, source: string): Promise<void> {
  const path = join(copy, file);
  await writeFile(path, (await readFile(path, "utf8")) + source);
}

describe.runIf(isFull)("npm run check, on a copy with a breach for each check", () => {
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "partner-payments-check-"));
    const parts = [
      "src",
      "sandbox",
      "tools",
      "test",
      "migrations",
      "public",
      "package.json",
      "tsconfig.json",
      "biome.json",
      "knip.json",
      "wrangler.toml",
    ];
    for (const part of [...parts, "oxlint.config.ts", "vitest.config.ts"])
      await cp(join(root, part), join(copy, part), { recursive: true, filter: (path) => !path.endsWith("test/clients/generated") });
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));

    await append("src/core/ids.ts", "\nexport const nobodyAsksForThis = 1;\n");
    await append("src/core/clock.ts", '\nconst wrong: number = "text";\nvoid wrong;\n');
    await append("tools/local/ports.ts", '\nconst wrong: number = "text";\nvoid wrong;\n');
    await append("src/worker.ts", '\nimport { takeFault } from "../sandbox/processor/faults.ts";\nexport const sandbox = takeFault;\n');
    const schema = join(copy, "src/db/schema/partners.ts");
    await writeFile(
      schema,
      (await readFile(schema, "utf8")).replace(
        'name: text("name").notNull(),',
        'name: text("name").notNull(),\n  nickname: text("nickname"),',
      ),
    );
    const run = promisify(execFile)(process.execPath, [join(copy, "tools/cli/start.mjs"), "check", ...CHECKS], {
      maxBuffer: 16 * 1024 * 1024,
    });
    const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string }) => failed);
    output = stdout + stderr;
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it.each([
    ["types of the Worker", "a text that calls itself a number"],
    ["types of the commands", "the same in a command"],
    ["dead code", "an export that nobody asks for"],
    ["migrations", "a column without a migration"],
    ["the deployable bundle", "the sandbox in the Worker"],
  ])("%s: npm run check sees %s", (check) => {
    expect(output).toMatch(new RegExp(`^FAILED ${check}`, "m"));
  });

  it("says what to do about it", () => {
    expect(output).toContain("npm run migration");
    expect(output).toContain("sandbox/processor/faults.ts");
    expect(output).toContain("nobodyAsksForThis");
  });
});
