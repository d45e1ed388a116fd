import { runTool } from "../local/processes.ts";
import { readArguments } from "./arguments.ts";

const COMMAND_LINE = {
  name: "format",
  help: "Formats the code, and mends what the basic lint can mend.",
  options: {},
  words: { usage: "[files..]", describe: "Only these; all unless said" },
};

/** `npm run format`. 0 if nothing is left to mend by hand. */
export function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return Promise.resolve(read.exit);
  return runTool("biome", ["check", "--write", ...(read.words.length === 0 ? ["."] : read.words)]);
}
