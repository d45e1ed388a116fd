import { globSync } from "node:fs";
import { relative, resolve } from "node:path";
import { root } from "./processes.ts";
import { machineTests, pageTests, unitTests } from "./unit-tests.ts";

/** What the named files need: Node.js alone, the Workers runtime with the built documents, or all that is built. */
export type Kind = "pure" | "worker" | "any";

/** Tests in the Workers runtime of what is built from the sources. */
const OF_BUILT = ["test/packages/**/*.test.ts"];

/** The kind of a run, by the files that it names. A part of a path may be of any kind, and so is a run that names nothing. */
export function kindOf(words: readonly string[]): Kind {
  const files = words.map((word) => relative(root, resolve(root, word)));
  const [known, pure, built] = [among(["test/**/*.test.ts"]), among([...unitTests, ...pageTests]), among([...machineTests, ...OF_BUILT])];
  if (files.length === 0 || files.some((file) => !known.has(file) || built.has(file))) return "any";
  return files.every((file) => pure.has(file)) ? "pure" : "worker";
}

const among = (patterns: readonly string[]): ReadonlySet<string> => new Set(globSync([...patterns], { cwd: root }));

/** Pure rules alone run in Node.js; in any other run they are in workerd, as the Worker is. A named project stays as it is. */
export function projectsOf(args: readonly string[], kind: Kind): readonly string[] {
  if (args.some((arg) => arg.startsWith("--project"))) return [];
  if (kind === "pure") return ["--project=unit", "--project=pages"];
  return kind === "worker" ? ["--project=workerd", "--project=pages"] : ["--project=!unit"];
}

/** Whether the words name proofs that take minutes, and no other test. */
export function areLong(words: readonly string[]): boolean {
  const files = globSync("test/**/*.test.ts", { cwd: root });
  return words.some((word) => {
    const named = files.filter((file) => file.includes(word.replace(/^\.\//, "")));
    return named.length > 0 && named.every(isLong);
  });
}

/** A proof that takes minutes says so in the name of its file. */
export const isLong = (file: string): boolean => file.endsWith(".long.test.ts");
