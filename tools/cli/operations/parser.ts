import yargs, { type Argv } from "yargs";
import { complaint, mostSimilar, unknownFirst } from "../arguments.ts";
import { type Command, hasPages } from "./command.ts";

/** The commands of an audience. */
interface Commands {
  /** As in `npm run ops --`. */
  readonly name: string;
  readonly epilogue: string;
  readonly commands: readonly Command[];
  /** Runs a command and returns its exit code. */
  readonly perform: (command: Command, given: Record<string, unknown>) => Promise<number>;
  /** Adds the commands that are more than one call. `perform` notes their exit codes. */
  readonly more?: (parser: Argv, perform: Noted) => Argv;
}

/** Runs a command and notes its exit code, unless its arguments are wrong. */
type Noted = (work: (given: Record<string, unknown>) => Promise<number>) => (given: Record<string, unknown>) => Promise<void>;

/**
 * Runs a command line. The commands, their arguments and their help follow from the definitions of the calls. Returns
 * the exit code.
 */
export async function runCommands(args: readonly string[], audience: Commands): Promise<number> {
  const { name, epilogue, commands, perform, more = (parser) => parser } = audience;
  let code = 0;
  const faults: string[] = [];
  const nouns = Map.groupBy(commands, ({ command }) => command.split(" ")[0] ?? "");
  let parser = yargs([...args])
    .scriptName(name)
    .usage("$0 <command>")
    .option("json", { type: "boolean", default: false, global: true, describe: "Print the answer as JSON, for programs" })
    .option("yes", { type: "boolean", default: false, global: true, describe: "Do not ask before what cannot be undone" })
    .option("url", { type: "string", global: true, describe: "The address of the service" })
    .completion("completion", false)
    .parserConfiguration({ "camel-case-expansion": false, "parse-numbers": false, "greedy-arrays": true, "dot-notation": false })
    .wrap(Math.min(120, process.stdout.columns ?? 120))
    .alias("help", "h")
    .strict()
    .version(false)
    .exitProcess(false)
    .demandCommand(1, "Give a command.")
    .epilogue(epilogue)
    .detectLocale(false)
    .showHelpOnFail(false)
    .fail((message: string | null, thrown: Error | undefined) => {
      // The parser throws its own argument errors with this name.
      if (thrown !== undefined && thrown.name !== "YError") throw thrown;
      faults.push(message ?? "Wrong arguments.");
      code = 2;
    });
  const noted: Noted = (work) => async (given) => {
    // Wrong arguments were already reported; the command must not run then.
    if (code === 0) code = await work(given);
  };
  const withOptions = (own: Argv, command: Command) => describeOptions(own, command, name);
  for (const [noun, ofNoun] of nouns) {
    const [first, ...others] = ofNoun;
    if (first === undefined) continue;
    const run = (command: Command) => noted((given) => perform(command, given));
    if (others.length === 0 && first.command === noun) {
      parser = parser.command(first.usage, first.summary, (own) => withOptions(own, first), run(first));
      continue;
    }
    parser = parser.command(noun, ofNoun.map(({ command }) => command.split(" ")[1]).join(", "), (own) => {
      let verbs = own;
      for (const command of ofNoun) {
        const words = command.usage.replace(`${noun} `, "");
        verbs = verbs.command(words, command.summary, (last) => withOptions(last, command), run(command));
      }
      return verbs.demandCommand(1, `Give what to do with ${noun}.`).strict();
    });
  }
  const whole = more(parser, noted);
  if (args.length === 0 || args[0] === "help") whole.showHelp("log");
  else await whole.parseAsync();
  const [fault] = unknownFirst(faults);
  if (fault !== undefined) console.error(faultLine(fault, args, audience));
  return code;
}

/** One line about a wrong command line, with the right command or argument that is most similar. */
function faultLine(message: string, args: readonly string[], { name, commands }: Pick<Commands, "name" | "commands">): string {
  const given = args
    .filter((arg) => !arg.startsWith("-"))
    .slice(0, 2)
    .join(" ");
  const found = commands.find(({ command }) => command === given || command === given.split(" ")[0]);
  if (found !== undefined) {
    const isMissing = message.startsWith("Not enough non-option");
    const what = isMissing ? `An argument is missing: ${name} ${found.usage}` : message;
    const own = [...found.arguments.map((argument) => argument.name), ...(hasPages(found) ? ["all"] : [])];
    const options = [...own, "url", "yes", "json"].map((option) => `--${option}`);
    return complaint(`${name} ${found.command}`, what, args, options);
  }
  const nouns = new Set(commands.map(({ command }) => command.split(" ")[0]));
  const similar = nouns.has(given)
    ? null
    : mostSimilar(
        given,
        commands.map(({ command }) => command),
      );
  if (similar === null) return complaint(nouns.has(given.split(" ")[0]) ? `${name} ${given.split(" ")[0]}` : name, message, args, []);
  return `Unknown command: ${given}. Did you mean ${similar}? Help: ${name} --help`;
}

function describeOptions(parser: Argv, command: Command, name: string): Argv {
  let own = parser.example(`${name} ${command.command} ${command.example}`.trim(), command.summary);
  for (const { name: argument, isPositional, type, array, demandOption, choices, describe } of command.arguments) {
    const described = { type, array, demandOption, choices, describe };
    own = isPositional
      ? own.positional(argument, described)
      : own.option(argument, { ...described, requiresArg: type !== "boolean" && array !== true });
  }
  if (hasPages(command)) own = own.option("all", { type: "boolean", default: false, describe: "Every page, not only one" });
  return command.irreversible === null ? own : own.epilogue(`${command.irreversible} Asks before, unless --yes is given.`);
}
