import { BIN } from "./called-as.ts";

/** A script for each shell. It asks the command itself for what may come next: `complete`. */
const SCRIPTS = {
  bash: `_${BIN}() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${BIN} complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${BIN} ${BIN}`,
  zsh: `#compdef ${BIN}
_${BIN}() {
  local -a found
  found=("\${(@f)$(${BIN} complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _${BIN} ${BIN}`,
  fish: `complete -c ${BIN} -f -a '(${BIN} complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
} as const;

/** Where each shell reads it. */
const HOW = {
  bash: `${BIN} completion bash >> ~/.bashrc`,
  zsh: `${BIN} completion zsh >> ~/.zshrc`,
  fish: `${BIN} completion fish > ~/.config/fish/completions/${BIN}.fish`,
} as const;

/** `ppay completion <shell>`: prints the script. Returns the exit code. */
export function run(args: readonly string[]): Promise<number> {
  const [named, ...others] = args;
  const script = Object.entries(SCRIPTS).find(([shell]) => shell === named)?.[1];
  if (script !== undefined && others.length === 0) {
    console.log(script);
    return Promise.resolve(0);
  }
  const isHelp = named === "--help" || named === "-h";
  const help = [
    "Prints the script for a shell's completion. Take it into use by one of:",
    ...Object.values(HOW).map((line) => `  ${line}`),
  ];
  for (const line of help) (isHelp ? console.log : console.error)(line);
  return Promise.resolve(isHelp ? 0 : 2);
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
