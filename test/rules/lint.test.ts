import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, tool } from "../../cli/processes.ts";

const execute = promisify(execFile);

/** A copy of the project in which a breach can be written: the rules must find it there, or they find nothing. */
let copy = "";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "partner-payments-rules-"));
  for (const part of ["src", "oxlint.config.ts", "biome.json", "tsconfig.json", "package.json"]) {
    await cp(join(root, part), join(copy, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function run(name: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await execute(process.execPath, [tool(name), ...args], { cwd: copy });
    return { code: 0, output: stdout + stderr };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

async function lintWith(file: string, source: string): Promise<{ code: number; output: string }> {
  const path = join(copy, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, source);
  try {
    return await run("oxlint", ["--deny-warnings", file]);
  } finally {
    await rm(path);
  }
}

describe("layers", () => {
  it("hold as the code stands", async () => {
    expect(await run("oxlint", ["--deny-warnings", "src"])).toMatchObject({ code: 0 });
  });

  it.each([
    ["src/core/breach.ts", 'import { openDatabase } from "../db/client.ts";\nexport const use = openDatabase;\n'],
    ["src/db/breach.ts", 'import { findKey } from "../partners/store.ts";\nexport const use = findKey;\n'],
    ["src/idempotency/breach.ts", 'import { createCartLink } from "../links/create-cart-link.ts";\nexport const use = createCartLink;\n'],
    ["src/processor/breach.ts", 'import { listMovements } from "../ledger/store.ts";\nexport const use = listMovements;\n'],
    ["src/ledger/breach.ts", 'import { planCart } from "../links/cart.ts";\nexport const use = planCart;\n'],
    ["src/catalogue/breach.ts", 'import { authenticate } from "../partners/authenticate.ts";\nexport const use = authenticate;\n'],
    ["src/links/breach.ts", 'import { v2Routes } from "../http/v2/index.ts";\nexport const use = v2Routes;\n'],
    ["src/ledger/breach.ts", 'import { endpoints } from "../db/schema/notifications.ts";\nexport const use = endpoints;\n'],
    ["src/links/breach.ts", 'import { partners } from "../db/schema/index.ts";\nexport const use = partners;\n'],
    ["src/notifications/breach.ts", 'import { Hono } from "hono";\nexport const use = Hono;\n'],
    ["src/links/breach.ts", 'import Stripe from "stripe";\nexport const use = Stripe;\n'],
    ["src/http/v2/breach.ts", 'import Stripe from "stripe";\nexport const use = Stripe;\n'],
  ])("are broken by %s: %s", async (file, source) => {
    const { code, output } = await lintWith(file, source);
    expect(code).not.toBe(0);
    expect(output).toContain("no-restricted-imports");
  });
});

describe("correctness", () => {
  it.each([
    ["no-floating-promises", "export function use(work: () => Promise<void>): void {\n  work();\n}\n"],
    ["no-misused-promises", "export function use(list: number[], work: (n: number) => Promise<void>): void {\n  list.forEach(work);\n}\n"],
    ["no-explicit-any", "export function use(value: any): void {\n  void value;\n}\n"],
    [
      "no-unsafe-assignment",
      "export const use = (text: string): void => {\n  const value: { a: string } = JSON.parse(text);\n  void value;\n};\n",
    ],
    ["no-unsafe-type-assertion", "export const use = (value: unknown): string => value as string;\n"],
    [
      "switch-exhaustiveness-check",
      'export function use(kind: "a" | "b"): number {\n  switch (kind) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n',
    ],
    ["only-throw-error", 'export function use(): never {\n  throw "text";\n}\n'],
    ["no-restricted-properties", "export const use = (): number => Date.now();\n"],
    ["no-restricted-properties", 'export const use = (): void => console.log("x");\n'],
  ])("%s is seen", async (rule, source) => {
    const { code, output } = await lintWith("src/links/breach.ts", source);
    expect(code).not.toBe(0);
    expect(output).toContain(rule);
  });

  it("no-cycle is seen", async () => {
    await writeFile(join(copy, "src/core/breach-a.ts"), 'import { b } from "./breach-b.ts";\nexport const a = (): number => b();\n');
    const { code, output } = await lintWith(
      "src/core/breach-b.ts",
      'import { a } from "./breach-a.ts";\nexport const b = (): number => a();\n',
    );
    await rm(join(copy, "src/core/breach-a.ts"));
    expect(code).not.toBe(0);
    expect(output).toContain("no-cycle");
  });
});

describe("format", () => {
  it.each([
    ["quotes", "export const a = 'single';\n"],
    ["unused imports", 'import { SECOND } from "../core/clock.ts";\nexport const a = 1;\n'],
  ])("%s are seen", async (_what, source) => {
    await writeFile(join(copy, "src/links/breach.ts"), source);
    const { code } = await run("biome", ["ci", "--error-on-warnings", "src/links/breach.ts"]);
    await rm(join(copy, "src/links/breach.ts"));
    expect(code).not.toBe(0);
  });
});
