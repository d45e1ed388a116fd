import yargs, { type Argv } from "yargs";
import { argumentsOf, describeArguments } from "../../src/http/calls/arguments.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import type { OpsCall } from "../../src/http/ops/define-call.ts";
import { callOps } from "./operations/call.ts";

const EPILOGUE = `Exit codes: 0 done; 1 refused, failed or out of reach; 2 wrong arguments.

--url (or OPS_BASE) is the edge, OPS_TOKEN the operators' token, and OPERATOR your name for the audit log. Without them
the local stack is asked. Completion: npm run --silent ops -- completion >> ~/.bashrc`;

/**
 * `npm run ops`: every operators' call as a command. The commands, their arguments and their help follow from the
 * definitions of the calls.
 */
export async function run(args: readonly string[]): Promise<number> {
  let code = 0;
  const nouns = Map.groupBy(opsCalls, ({ command }) => command.split(" ")[0] ?? "");
  let parser = yargs([...args])
    .scriptName("npm run ops --")
    .usage("$0 <command>")
    .option("json", { type: "boolean", default: false, global: true, describe: "Print the answer as JSON, for programs" })
    .option("yes", { type: "boolean", default: false, global: true, describe: "Do not ask before what cannot be undone" })
    .option("url", { type: "string", global: true, describe: "The edge" })
    .completion("completion", "Print a script for the shell's completion")
    .parserConfiguration({ "camel-case-expansion": false, "parse-numbers": false, "greedy-arrays": true, "dot-notation": false })
    .wrap(Math.min(120, process.stdout.columns ?? 120))
    .strict()
    .version(false)
    .exitProcess(false)
    .demandCommand(1, "Give a command.")
    .epilogue(EPILOGUE)
    .fail((message: string | null, thrown: Error | undefined, context: Argv) => {
      // The parser throws its own argument errors with this name.
      if (thrown !== undefined && thrown.name !== "YError") throw thrown;
      code = 2;
      console.error(`${message ?? "Wrong arguments."}\n`);
      context.showHelp("error");
    });
  const perform = (call: OpsCall) => async (given: Record<string, unknown>) => {
    // Wrong arguments were already reported; the command must not run then.
    if (code === 0) code = await callOps(call, given);
  };
  for (const [noun, calls] of nouns) {
    const [first, ...more] = calls;
    if (first === undefined) continue;
    if (more.length === 0 && first.command === noun) {
      parser = parser.command(describeArguments(first), first.summary, (own) => withOptions(own, first), perform(first));
      continue;
    }
    parser = parser.command(noun, calls.map(({ command }) => command.split(" ")[1]).join(", "), (own) => {
      let verbs = own;
      for (const call of calls) {
        const words = describeArguments(call).replace(`${noun} `, "");
        verbs = verbs.command(words, call.summary, (last) => withOptions(last, call), perform(call));
      }
      return verbs.demandCommand(1, `Give what to do with ${noun}.`).strict();
    });
  }
  if (args.length === 0 || args[0] === "help") parser.showHelp("log");
  else await parser.parseAsync();
  return code;
}

function withOptions(parser: Argv, call: OpsCall): Argv {
  let own = parser.example(`npm run ops -- ${call.command} ${call.example}`.trim(), call.summary);
  for (const { name, isPositional, type, array, demandOption, choices, describe } of argumentsOf(call)) {
    const described = { type, array, demandOption, choices, describe };
    own = isPositional
      ? own.positional(name, described)
      : own.option(name, { ...described, requiresArg: type !== "boolean" && array !== true });
  }
  return call.irreversible === null ? own : own.epilogue(`${call.irreversible} Asks before, unless --yes is given.`);
}
