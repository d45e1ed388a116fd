import yargs, { type Argv } from "yargs";
import { argumentsOf, describeArguments } from "../../../src/http/calls/arguments.ts";
import type { Call } from "../../../src/http/calls/call.ts";
import { complaint, mostSimilar } from "../arguments.ts";

/** The commands of an audience. */
interface Commands<Known extends Call> {
  /** As in `npm run ops --`. */
  readonly name: string;
  readonly epilogue: string;
  readonly calls: readonly Known[];
  /** Runs a command and returns its exit code. */
  readonly perform: (call: Known, given: Record<string, unknown>) => Promise<number>;
  /** Adds the commands that are more than one call. `perform` notes their exit codes. */
  readonly more?: (parser: Argv, perform: Noted) => Argv;
}

/** Runs a command and notes its exit code, unless its arguments are wrong. */
type Noted = (work: (given: Record<string, unknown>) => Promise<number>) => (given: Record<string, unknown>) => Promise<void>;

/**
 * Runs a command line. The commands, their arguments and their help follow from the definitions of the calls. Returns
 * the exit code.
 */
export async function runCommands<Known extends Call>(args: readonly string[], commands: Commands<Known>): Promise<number> {
  const { name, epilogue, calls, perform, more = (parser) => parser } = commands;
  let code = 0;
  const nouns = Map.groupBy(calls, ({ command }) => command.split(" ")[0] ?? "");
  let parser = yargs([...args])
    .scriptName(name)
    .usage("$0 <command>")
    .option("json", { type: "boolean", default: false, global: true, describe: "Print the answer as JSON, for programs" })
    .option("yes", { type: "boolean", default: false, global: true, describe: "Do not ask before what cannot be undone" })
    .option("url", { type: "string", global: true, describe: "The address of the service" })
    .completion("completion", "Print a script for the shell's completion")
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
      // The first fault is the one to mend first.
      if (code === 0) console.error(faultLine(message ?? "Wrong arguments.", args, commands));
      code = 2;
    });
  const noted: Noted = (work) => async (given) => {
    // Wrong arguments were already reported; the command must not run then.
    if (code === 0) code = await work(given);
  };
  const withOptions = (own: Argv, call: Known) => describeOptions(own, call, name);
  for (const [noun, ofNoun] of nouns) {
    const [first, ...others] = ofNoun;
    if (first === undefined) continue;
    const run = (call: Known) => noted((given) => perform(call, given));
    if (others.length === 0 && first.command === noun) {
      parser = parser.command(describeArguments(first), first.summary, (own) => withOptions(own, first), run(first));
      continue;
    }
    parser = parser.command(noun, ofNoun.map(({ command }) => command.split(" ")[1]).join(", "), (own) => {
      let verbs = own;
      for (const call of ofNoun) {
        const words = describeArguments(call).replace(`${noun} `, "");
        verbs = verbs.command(words, call.summary, (last) => withOptions(last, call), run(call));
      }
      return verbs.demandCommand(1, `Give what to do with ${noun}.`).strict();
    });
  }
  const whole = more(parser, noted);
  if (args.length === 0 || args[0] === "help") whole.showHelp("log");
  else await whole.parseAsync();
  return code;
}

/** One line about a wrong command line, with the right command or argument that is most similar. */
function faultLine(message: string, args: readonly string[], { name, calls }: Pick<Commands<Call>, "name" | "calls">): string {
  const given = args
    .filter((arg) => !arg.startsWith("-"))
    .slice(0, 2)
    .join(" ");
  const call = calls.find(({ command }) => command === given || command === given.split(" ")[0]);
  if (call !== undefined) {
    const isMissing = message.startsWith("Not enough non-option");
    const what = isMissing ? `An argument is missing: ${name} ${describeArguments(call)}` : message;
    const options = ["url", "yes", "json", ...argumentsOf(call).map((argument) => argument.name)].map((option) => `--${option}`);
    return complaint(`${name} ${call.command}`, what, args, options);
  }
  const nouns = new Set(calls.map(({ command }) => command.split(" ")[0]));
  const similar = nouns.has(given)
    ? null
    : mostSimilar(
        given,
        calls.map(({ command }) => command),
      );
  if (similar === null) return complaint(nouns.has(given.split(" ")[0]) ? `${name} ${given.split(" ")[0]}` : name, message, args, []);
  return `Unknown command: ${given}. Did you mean ${similar}? Help: ${name} --help`;
}

function describeOptions(parser: Argv, call: Call, name: string): Argv {
  let own = parser.example(`${name} ${call.command} ${call.example}`.trim(), call.summary);
  for (const { name: argument, isPositional, type, array, demandOption, choices, describe } of argumentsOf(call)) {
    const described = { type, array, demandOption, choices, describe };
    own = isPositional
      ? own.positional(argument, described)
      : own.option(argument, { ...described, requiresArg: type !== "boolean" && array !== true });
  }
  return call.irreversible === null ? own : own.epilogue(`${call.irreversible} Asks before, unless --yes is given.`);
}
