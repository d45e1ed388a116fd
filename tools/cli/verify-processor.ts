import { readArguments } from "./arguments.ts";
import { SANDBOX } from "./verify/recorder.ts";
import { compareWalks } from "./verify/report.ts";
import { walkProcessor } from "./verify/walk-processor.ts";

const REAL = "https://api.stripe.com";
const HELP = `Walks through the processor's test environment and compares it with the sandbox.
Set PROCESSOR_KEY_TEST to a test key (sk_test_… or rk_test_…); PROCESSOR_API_BASE is ${REAL} unless set.`;
const COMMAND_LINE = { name: "verify:processor", help: HELP, options: {} };

/** `npm run verify:processor`. 0 if every step was carried out; differences are printed. Refuses a live key. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { PROCESSOR_KEY_TEST: key = "", PROCESSOR_API_BASE: base = REAL } = process.env;
  if (!/^(sk|rk)_test_\w+$/.test(key)) {
    console.error(key === "" ? HELP : "PROCESSOR_KEY_TEST is no test key. This makes and deletes objects, so it takes a test key only.");
    return 2;
  }
  try {
    console.log(`The processor at ${base}:`);
    await compareWalks(
      () => walkProcessor(base, key, (step) => console.log(`  ${step}`)),
      () => walkProcessor(SANDBOX, "sk_test_sandbox", () => undefined),
    );
    return 0;
  } catch (thrown) {
    console.error(`\nThis step failed: ${thrown instanceof Error ? reasonOf(thrown) : String(thrown)}`);
    return 1;
  }
}

/** The processor's message, which caused the adapter's failure. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
