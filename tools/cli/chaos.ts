import { writeFileSync } from "node:fs";
import { defects, isDefect } from "../chaos/defect-names.ts";
import { runChaos } from "../chaos/run.ts";
import { MAX_LOCAL_CELLS } from "../local/further-cells.ts";
import { UserFault } from "../local/processes.ts";
import { complaint, readArguments, wholeNumber } from "./arguments.ts";
import { calledAs } from "./called-as.ts";

const names = Object.keys(defects);

const COMMAND_LINE = {
  name: "chaos",
  help: `Lets chance loose on a whole local stack: partners, customers, operators and receivers act, the runtime is killed, calls fail,
stores fail, the clock is wrong. Then an auditor compares what is stored with the books of everybody else. A broken promise is printed
with the seed and with the part of the history that concerns it. The same seed begins alike; what comes then depends on the answers.

Exit codes: 0 every promise was kept, or the auditor found the planted defect; 1 not; 2 wrong arguments.`,
  options: {
    seed: wholeNumber("seed", { describe: "By chance unless said", min: 0 }),
    minutes: { type: "number", requiresArg: true, default: 2, describe: "How long chance has" },
    cells: {
      ...wholeNumber("cells", {
        describe: "How many databases the partners' data is spread over; with more than one, partners move, and one may be lost",
        min: 1,
        max: MAX_LOCAL_CELLS,
      }),
      default: "3",
    },
    history: { type: "string", requiresArg: true, describe: "Write all that happened to a file, as JSON lines" },
    break: {
      choices: ["all", ...names],
      requiresArg: true,
      describe: "Build a defect into the product, to see that the auditor finds it; all: one after the other",
    },
  },
} as const;

/** Violations that are printed in full. */
const SHOWN = 10;
/** Lines of a history that are printed. */
const LINES = 60;

/** `npm run chaos`. 0 if every promise was kept; with `--break`, 0 if the auditor found it. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { seed = Math.floor(Math.random() * 2 ** 31), minutes, cells, history = null, break: wanted = "" } = read.options;
  if (!(minutes > 0)) {
    console.error(complaint(calledAs(COMMAND_LINE.name), "--minutes must be more than 0.", args, []));
    return 2;
  }
  const failed: string[] = [];
  for (const broken of wanted === "all" ? names : [wanted]) {
    const isRight = await runOnceOrStop({ seed, minutes, cells: broken === "" ? cells : 1, broken, file: history });
    if (!isRight) failed.push(broken);
  }
  if (wanted === "all") console.log(failed.length === 0 ? `All ${names.length} defects were found.` : `Not found: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

/** {@link runOnce}. A run that a person stopped is not a success, and needs no stack trace. */
async function runOnceOrStop(wanted: Wanted): Promise<boolean> {
  try {
    return await runOnce(wanted);
  } catch (thrown) {
    if (!(thrown instanceof UserFault)) throw thrown;
    console.error(thrown.message);
    return false;
  }
}

interface Wanted {
  readonly seed: number;
  readonly minutes: number;
  readonly cells: number;
  readonly broken: string;
  readonly file: string | null;
}

/** Whether the run was as expected: no violation, or with a planted defect at least one. */
async function runOnce({ seed, minutes, cells, broken, file }: Wanted): Promise<boolean> {
  console.log(`seed ${seed}, ${minutes} minutes, ${cells} cells${broken === "" ? "" : `, broken on purpose: ${broken}`}`);
  const { violations, history, figures, settledIn } = await runChaos({
    seed,
    minutes,
    cells,
    broken,
    progress: (line) => console.log(line),
  });
  const counted = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
  console.log(`${counted.join(", ")}; at rest after ${Math.round(settledIn / 1_000)} s`);
  if (file !== null)
    writeFileSync(
      broken === "" ? file : `${file}.${broken.replaceAll(" ", "-")}`,
      history.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
    );
  const promises = Map.groupBy(violations, ({ promise }) => promise);
  for (const [promise, all] of promises) console.log(`BROKEN  ${promise}: ${all.length} times`);
  for (const { promise, what, about } of violations.slice(0, broken === "" ? SHOWN : 1)) {
    console.log(`\n${promise}: ${what}`);
    for (const { at, actor, what: did, about: ids, outcome } of history.of(about).slice(-LINES)) {
      console.log(`  ${String(at).padStart(8)} ms  ${actor.padEnd(9)} ${did} ${ids.join(" ")} ${outcome}`);
    }
  }
  if (violations.length > 0)
    console.log(`\nTo try again: npm run chaos -- --seed ${seed} --minutes ${minutes}${broken === "" ? "" : ` --break "${broken}"`}`);
  else console.log("Every promise was kept.");
  if (!isDefect(broken)) return violations.length === 0;
  return promises.has(defects[broken]);
}
