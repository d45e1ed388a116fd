import { resolve } from "node:path";
import { type Amount, fillMonths, USUAL } from "../local/fill-months.ts";
import { isTaken, root } from "../local/processes.ts";
import { Running } from "../local/running.ts";
import { SeedRequest } from "../local/seed-request.ts";
import { readArguments, wholeNumber } from "./arguments.ts";

const COMMAND_LINE = {
  name: "seed",
  help: "Fills the local databases with months of example data. A stack that npm run dev runs stops for it, and starts again. PORT, SANDBOX_PORT and STATE_DIR are those of npm run dev.",
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
 * refusals, for the eye and for measures. A running stack is asked to do it.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { payments, days, seed } = read.options;
  const { PORT = "8787", SANDBOX_PORT = "8788", STATE_DIR = ".wrangler/state" } = process.env;
  const stateDir = resolve(root, STATE_DIR);
  const isAlive = new Running(stateDir).owner();
  if (isAlive !== null) return seedRunning(stateDir, { payments, days, seed }, isAlive);
  if (await isTaken(Number(PORT))) {
    console.error(`Another program listens on port ${PORT}, and no stack of ${STATE_DIR}. End it, or name the stack's STATE_DIR.`);
    return 1;
  }
  const place = { stateDir, edge: `http://localhost:${PORT}`, sandbox: `http://localhost:${SANDBOX_PORT}` };
  const code = await fillMonths(place, { payments, days, seed });
  if (code === 0) console.log("Done. npm run dev shows it: open the dashboard that it prints.");
  return code;
}

/** Has a running stack fill its databases. It shows the progress where it runs. */
async function seedRunning(stateDir: string, amount: Amount, isAlive: () => boolean): Promise<number> {
  console.log("The stack runs: it stops, is filled, and starts again …");
  const code = await new SeedRequest(stateDir).ask(amount, isAlive);
  if (code === null) {
    console.error("The stack ended before it was filled.");
    return 1;
  }
  console.log(
    code === 0 ? "Done. The stack starts again: it prints a new link to the dashboard." : "It was not filled; the stack says why.",
  );
  return code;
}
