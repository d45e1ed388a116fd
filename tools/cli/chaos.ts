import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { defects, isDefect } from "../chaos/defect-names.ts";
import { runChaos } from "../chaos/run.ts";
import { MAX_LOCAL_CELLS } from "../local/further-cells.ts";
import { UserFault } from "../local/processes.ts";

const names = Object.keys(defects);

const HELP = `npm run chaos -- [--seed <number>] [--minutes 2] [--cells 3] [--history <file>] [--break <name>]

Lets chance loose on a whole local stack: partners, customers, operators and receivers act, the runtime is killed, calls fail, stores
fail, the clock is wrong. Then an auditor compares what is stored with the books of everybody else. A broken promise is printed with
the seed and with the part of the history that concerns it. The same seed begins alike; what comes then depends on the answers.

  --break   build a defect into the product, to see that the auditor finds it: ${names.join(", ")};
            or all, one after the other
  --cells   how many databases the partners' data is spread over; with more than one, partners move, and one may be lost
  --history write all that happened to a file, as JSON lines
`;

/** Violations that are printed in full. */
const SHOWN = 10;
/** Lines of a history that are printed. */
const LINES = 60;

/** `npm run chaos`. 0 if every promise was kept; with `--break`, 0 if the auditor found it. */
export async function run(args: readonly string[]): Promise<number> {
  const options = {
    seed: { type: "string" },
    minutes: { type: "string", default: "2" },
    cells: { type: "string", default: "3" },
    history: { type: "string" },
    break: { type: "string", default: "" },
  } as const;
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  const [seed, minutes] = [Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)), Number(values.minutes)];
  const cells = Number(values.cells);
  if (
    !Number.isInteger(seed) ||
    !(minutes > 0) ||
    !(cells >= 1 && cells <= MAX_LOCAL_CELLS && Number.isInteger(cells)) ||
    positionals.length > 0
  ) {
    console.error(HELP);
    return 2;
  }
  const wanted = values.break;
  if (wanted !== "all" && wanted !== "" && !isDefect(wanted)) {
    console.error(HELP);
    return 2;
  }
  const failed: string[] = [];
  for (const broken of wanted === "all" ? names : [wanted]) {
    const isRight = await runOnceOrStop({ seed, minutes, cells: broken === "" ? cells : 1, broken, file: values.history ?? null });
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
