import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OFFLINE, root } from "../local/processes.ts";
import { readArguments } from "./arguments.ts";
import { PARTS } from "./bench/names.ts";

const COMMAND_LINE = {
  name: "bench",
  help: "Measures what requests cost, as ratios to a reference in the same run. docs/performance.md says what each part measures.",
  options: { pictures: { type: "boolean" as const, default: false, describe: "Draw the pictures in docs/pictures again" } },
  words: { usage: "[parts..]", describe: "Only these; all unless said", choices: PARTS },
};

/**
 * `npm run bench`: compares the deployable Worker with the platform (`worker`), and over more and more connections
 * (`connections`), large ledgers with small ones (`scale`), deliveries with a plain loop (`deliveries`), one partner's queries
 * with the same beside another's burst (`burst`), the memory that many short links take (`redirects`), what it takes to start
 * (`start`), how long partners far from the databases wait (`distance`), how many payments a second go through more and
 * more cells (`capacity`), and what the books of a partner with 100,000 orders take (`reports`). Arguments select parts by name. CPU time counts the
 * Workers runtime only; on a shared machine it is more stable than wall-clock time.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const names = read.words;
  Object.assign(process.env, OFFLINE, { WRANGLER_LOG: "warn" });
  const file = join(root, "bench", "results.json");
  // They load the runtime, which takes seconds.
  const { measures } = await import("./bench/parts.ts");
  for (const name of PARTS) {
    if (names.length > 0 && !names.includes(name)) continue;
    const began = performance.now();
    const results = { ...(await earlier(file)), [name]: await measures[name]({ pictures: read.options.pictures }) };
    console.log(`The part "${name}" took ${Math.round((performance.now() - began) / 1000)} seconds.`);
    await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  }
  return 0;
}

/** Earlier results, to keep those of the other parts; empty without a valid file. */
async function earlier(file: string): Promise<object> {
  try {
    const found: unknown = JSON.parse(await readFile(file, "utf8"));
    const isOurs = typeof found === "object" && found !== null && Object.keys(found).every((key) => PARTS.some((part) => part === key));
    return isOurs ? found : {};
  } catch {
    return {};
  }
}
