import { BIN } from "./called-as.ts";
import { printCompletion } from "./completion-scripts.ts";

/** `partner-payments completion <shell>`: prints the script. Returns the exit code. */
export function run(args: readonly string[]): Promise<number> {
  return Promise.resolve(printCompletion(BIN, `${BIN} complete`, args));
}

/**
 * Prints what may stand in the place of the last of these words, one a line: a command, or a word of the operators' and
 * the partners' commands.
 */
export async function complete(words: readonly string[], commands: readonly string[]): Promise<number> {
  const [first = "", ...others] = words;
  if (others.length === 0) {
    for (const command of commands) console.log(command);
    return 0;
  }
  if (first !== "ops" && first !== "partner") return 0;
  const { run: runCommand } = first === "ops" ? await import("./ops.ts") : await import("./partner.ts");
  return runCommand(["--get-yargs-completions", BIN, ...others]);
}
