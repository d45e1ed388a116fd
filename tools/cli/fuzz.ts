import { parseArgs } from "node:util";
import { runTool } from "../local/processes.ts";
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

const HELP = "npm run fuzz -- [--inputs 100000] [--seed <number>]: send inputs by chance to every surface, in the Workers runtime";

/**
 * `npm run fuzz`: the tests of `test/fuzz` with more inputs. The seed is printed; the same seed tries the same inputs.
 * 0 if no input caused a failure of the service.
 */
export async function run(args: readonly string[]): Promise<number> {
  const options = { inputs: { type: "string", default: "100000" }, seed: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const [inputs, seed] = [Number(values.inputs), Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))];
  if (!Number.isInteger(inputs) || inputs < 1 || !Number.isInteger(seed) || positionals.length > 0) {
    console.error(HELP);
    return 2;
  }
  console.log(`${inputs} inputs, seed ${seed}`);
  if (!areExpressionsFast()) return 1;
  return runTool("vitest", ["run", "--project", "workerd", "test/fuzz"], { env: { FUZZ_INPUTS: String(inputs), FUZZ_SEED: String(seed) } });
}
