import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Shapes } from "../../sandbox/processor/shape.ts";
import { OBJECTS, PARAMETERS } from "../../sandbox/processor/shape-roots.ts";
import { API_VERSION } from "../../src/processor/version.ts";
import { root } from "../local/processes.ts";
import { readArguments } from "./arguments.ts";
import { extractBankShapes } from "./shapes/bank.ts";
import { Declarations } from "./shapes/declarations.ts";
import { extractSchemas } from "./shapes/extract.ts";

const FILE = join(root, "sandbox", "processor", "shapes.json");
const LIBRARY = join(root, "node_modules", "stripe");
const packageSchema = z.object({ name: z.string(), version: z.string() });

const COMMAND_LINE = {
  name: "shapes",
  help: "Writes the shapes that the sandbox checks against: the processor's from its library, or the bank's from its document.",
  options: {
    check: { type: "boolean", describe: "Write nothing, and fail where the processor's shapes differ" },
    bank: { type: "string", requiresArg: true, conflicts: "check", describe: "The file of the bank's OpenAPI document" },
  },
} as const;

/**
 * `npm run shapes`: extracts the processor's shapes from the type declarations of its library, so that a new version of
 * the library brings new shapes. With `--check` it only compares. With `--bank <file>` it extracts the bank's shapes
 * from its OpenAPI document instead.
 */
export function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return Promise.resolve(read.exit);
  const { bank, check } = read.options;
  if (bank !== undefined) return Promise.resolve(extractBankShapes(bank));
  const { name, version } = packageSchema.parse(JSON.parse(readFileSync(join(LIBRARY, "package.json"), "utf8")));
  const roots = [...Object.values(PARAMETERS), ...Object.values(OBJECTS)];
  const schemas = extractSchemas(new Declarations(join(LIBRARY, "esm", "resources")), roots);
  const text = print({ from: `${name}@${version}`, apiVersion: API_VERSION, schemas });
  if (check !== true) {
    writeFileSync(FILE, text);
    console.log(`sandbox/processor/shapes.json: ${Object.keys(schemas).length} schemas of ${name}@${version}`);
    return Promise.resolve(0);
  }
  if (readFileSync(FILE, "utf8") === text) return Promise.resolve(0);
  console.error(`sandbox/processor/shapes.json is not what ${name}@${version} declares. Write it anew: npm run shapes`);
  return Promise.resolve(1);
}

/** JSON with one schema per line, for readable diffs. */
function print({ from, apiVersion, schemas }: Shapes): string {
  const lines = Object.entries(schemas).map(([name, fields]) => `${JSON.stringify(name)}: ${JSON.stringify(fields)}`);
  return `{\n"from": ${JSON.stringify(from)},\n"apiVersion": ${JSON.stringify(apiVersion)},\n"schemas": {\n${lines.join(",\n")}\n}}\n`;
}
