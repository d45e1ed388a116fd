import { globSync } from "node:fs";
import { relative, resolve } from "node:path";
import { root } from "./processes.ts";
import { machineTests, pageTests, unitTests } from "./unit-tests.ts";

/** What the named files need: Node.js alone, the Workers runtime with the built documents, or the whole built site. */
export type Kind = "pure" | "worker" | "any";

/** The kind of a run, by the files that it names. A part of a path may be of any kind, and so is a run that names no file. */
export function kindOf(args: readonly string[]): Kind {
  const files = args.filter((arg) => arg.endsWith(".test.ts")).map((file) => relative(root, resolve(root, file)));
  const [known, pure, machine] = [among(["test/**/*.test.ts"]), among([...unitTests, ...pageTests]), among(machineTests)];
  if (files.length === 0 || files.some((file) => !known.has(file) || machine.has(file))) return "any";
  return files.every((file) => pure.has(file)) ? "pure" : "worker";
}

const among = (patterns: readonly string[]): ReadonlySet<string> => new Set(globSync([...patterns], { cwd: root }));

/** Pure rules alone run in Node.js; in any other run they are in workerd, as the Worker is. A named project stays as it is. */
export function projectsOf(args: readonly string[], kind: Kind): readonly string[] {
  if (args.some((arg) => arg.startsWith("--project"))) return [];
  if (kind === "pure") return ["--project=unit", "--project=pages"];
  return kind === "worker" ? ["--project=workerd", "--project=pages"] : ["--project=!unit"];
}
