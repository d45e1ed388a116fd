import { runTool } from "../local/processes.ts";
import { readArguments, wholeNumber } from "./arguments.ts";
import { isUnbounded, regularExpressions, slowInputs } from "./fuzz/regular-expressions.ts";

/** Whether the time of each regular expression of the Worker grows at most linearly with its text. */
function areExpressionsFast(): boolean {
  const expressions = regularExpressions().filter(isUnbounded);
  console.log(`${expressions.length} regular expressions, each on twice the text`);
  const slow = expressions.flatMap((one) =>
    slowInputs(one).map((input) => `src/${one.file}: /${one.pattern}/${one.flags} is slow on ${input}`),
  );
  for (const line of slow) console.error(line);
  return slow.length === 0;
}

const COMMAND_LINE = {
  name: "fuzz",
  help: "Sends inputs by chance to every surface, in the Workers runtime. A failure of ours is a defect.",
  options: {
    inputs: { ...wholeNumber("inputs", { describe: "How many inputs each surface gets", min: 1 }), default: "100000" },
    seed: wholeNumber("seed", { describe: "The same seed tries the same inputs; by chance unless said", min: 0 }),
  },
};

/**
 * `npm run fuzz`: the tests of `test/fuzz` with more inputs. The seed is printed; the same seed tries the same inputs.
 * 0 if no input caused a failure of the service.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { inputs, seed = Math.floor(Math.random() * 2 ** 31) } = read.options;
  console.log(`${inputs} inputs, seed ${seed}`);
  if (!areExpressionsFast()) return 1;
  return runTool("vitest", ["run", "--project", "workerd", "test/fuzz"], { env: { FUZZ_INPUTS: String(inputs), FUZZ_SEED: String(seed) } });
}
