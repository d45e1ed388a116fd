import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./processes.ts";
import { isLong } from "./test-kinds.ts";
import { pageTests, unitTests } from "./unit-tests.ts";

const CODE = ["src", "sandbox", "dashboard/src", "packages", "tools", "bench", "test"].map((folder) => `${folder}/**/*.{ts,tsx,mjs}`);
const TEST = /^test\/.*\.test\.ts$/;
/** What all tests run on, though none imports it. */
const GROUND =
  /^(?:vitest\.config\.ts|wrangler\..*|package-lock\.json|migrations\/.*|test\/support\/(?:setup|node)\.ts|test\/stack\/shared-stack\.setup\.ts)$/;
/** What a file imports of ours: `from "./other.ts"`, `import("../docs/page.md?raw")`. */
const IMPORT = /(?:from|import)\s{0,4}\(?\s{0,20}"(\.[^"\n?]{1,300})(?:\?raw)?"/g;

/** The test files of a change: its own, which come first, and all others that reach what changed. Paths from the root. */
export interface Chosen {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** The files that differ from the last commit, new ones too. Paths from the root. */
export function changedFiles(): string[] {
  // Of a file that was renamed, the old name too: a test may still import it.
  return [...pathsOf("diff", "--name-only", "--no-renames", "-z", "HEAD"), ...pathsOf("ls-files", "--others", "--exclude-standard", "-z")];
}

const pathsOf = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);

/** The importers of each of our files, by its path. */
export function importersOf(files: readonly string[] = globSync(CODE, { cwd: root, exclude: ["**/node_modules/**"] })) {
  const importers = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const imported = relative(root, join(root, dirname(file), path));
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  return importers;
}

/**
 * The tests of what changed. Its own are those that changed, that import it or are named after it, and the tests of pure rules that reach
 * it, which take no time. Proofs that take minutes are chosen where they changed themselves. What all tests run on reaches all.
 */
export function testsOf(changed: readonly string[], importers: ReadonlyMap<string, ReadonlySet<string>>): Chosen {
  const pure = new Set(globSync([...unitTests, ...pageTests], { cwd: root }));
  const reached = new Set(changed);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  const byImport = new Set(reached);
  if (changed.some((file) => GROUND.test(file))) for (const test of globSync("test/**/*.test.ts", { cwd: root })) reached.add(test);
  const direct = new Set(changed.flatMap((file) => [file, ...(importers.get(file) ?? [])]));
  const isNamedAfter = (test: string) =>
    changed.some((file) => {
      const [, path] = /^src\/(.+)\.ts$/.exec(file) ?? [];
      return path !== undefined && (test === `test/${path}.test.ts` || test.startsWith(`test/${path}.`));
    });
  const isTest = (file: string) => TEST.test(file) && existsSync(join(root, file)) && (changed.includes(file) || !isLong(file));
  const tests = [...reached].filter(isTest).toSorted();
  const isOwn = (test: string) => direct.has(test) || (pure.has(test) && byImport.has(test)) || isNamedAfter(test);
  return { own: tests.filter(isOwn), others: tests.filter((test) => !isOwn(test)) };
}
