import { runTool } from "../local/processes.ts";
import { readArguments, wholeNumber } from "./arguments.ts";
import { isNested, isUnbounded, regularExpressions, slowHostileTexts, slowInputs } from "./fuzz/regular-expressions.ts";

/** Whether each regular expression of the Worker takes a time that grows linearly with its text, and little on a hostile one. */
function areExpressionsFast(): boolean {
  const all = regularExpressions();
  const [unbounded, nested] = [all.filter(isUnbounded), all.filter(isNested)];
  console.log(`${unbounded.length} regular expressions, each on twice the text; ${nested.length} on hostile texts`);
  const slow = [
    ...unbounded.flatMap((one) => slowInputs(one).map((input) => ({ one, input }))),
    ...nested.flatMap((one) => slowHostileTexts(one).map((text) => ({ one, input: `${JSON.stringify(text)} repeated` }))),
  ];
  for (const { one, input } of slow) console.error(`src/${one.file}: /${one.pattern}/${one.flags} is slow on ${input}`);
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
  return runTool("vitest", ["run", "--project", "workerd", "test/fuzz"], { env: { FUZZ_INPUTS: String(inputs), TEST_SEED: String(seed) } });
}
