import { resolve } from "node:path";
import { fillMonths, USUAL } from "../local/fill-months.ts";
import { isTaken, root } from "../local/processes.ts";
import { readArguments, wholeNumber } from "./arguments.ts";

const COMMAND_LINE = {
  name: "seed",
  help: "Fills the local databases with months of example data. The stack must not run. PORT, SANDBOX_PORT and STATE_DIR are those of npm run dev.",
  options: {
    payments: {
      ...wholeNumber("payments", { describe: "Live payments; a quarter as many are test payments", min: 1, max: 1_000_000 }),
      default: String(USUAL.payments),
    },
    days: { ...wholeNumber("days", { describe: "Over how many days", min: 1, max: 400 }), default: String(USUAL.days) },
    seed: { ...wholeNumber("seed", { describe: "The same seed gives the same rows", min: 0 }), default: String(USUAL.seed) },
  },
};

/**
 * `npm run seed`: fills the local databases with months of acme's orders, refunds, disputes, subscriptions, deliveries and
 * refusals, for the eye and for measures. The stack must not run.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { payments, days, seed } = read.options;
  const { PORT = "8787", SANDBOX_PORT = "8788", STATE_DIR = ".wrangler/state" } = process.env;
  if (await isTaken(Number(PORT))) {
    console.error(`The local stack runs on port ${PORT}. End it first (Ctrl-C), then fill its databases.`);
    return 1;
  }
  const place = { stateDir: resolve(root, STATE_DIR), edge: `http://localhost:${PORT}`, sandbox: `http://localhost:${SANDBOX_PORT}` };
  const code = await fillMonths(place, { payments, days, seed });
  if (code === 0) console.log("Done. npm run dev shows it: open the dashboard that it prints.");
  return code;
}
