/** A script for each shell. It asks the command itself for what may come next: `ask`. */
const scriptsOf = (bin: string, ask: string) => {
  const name = bin.replaceAll("-", "_");
  return {
    bash: `_${name}() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${bin}`,
    zsh: `#compdef ${bin}
_${name}() {
  local -a found
  found=("\${(@f)$(${ask} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _${name} ${bin}`,
    fish: `complete -c ${bin} -f -a '(${ask} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
  };
};

/** Where each shell reads it. */
const waysOf = (bin: string): readonly string[] => [
  `${bin} completion bash >> ~/.bashrc`,
  `${bin} completion zsh >> ~/.zshrc`,
  `${bin} completion fish > ~/.config/fish/completions/${bin}.fish`,
];

/**
 * `<bin> completion <shell>`: prints the script for a shell's completion. `ask`: the command that prints what may stand in the place
 * of the last of its words. Returns the exit code.
 */
export function printCompletion(bin: string, ask: string, args: readonly string[]): number {
  const [named, ...others] = args;
  const script = Object.entries(scriptsOf(bin, ask)).find(([shell]) => shell === named)?.[1];
  if (script !== undefined && others.length === 0) {
    console.log(script);
    return 0;
  }
  const isHelp = named === "--help" || named === "-h";
  const help = ["Prints the script for a shell's completion. Take it into use by one of:", ...waysOf(bin).map((line) => `  ${line}`)];
  for (const line of help) (isHelp ? console.log : console.error)(line);
  return isHelp ? 0 : 2;
}
