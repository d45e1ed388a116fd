import { join } from "node:path";
import { root, runTool } from "./processes.ts";
import type { StackPlace } from "./temporary-stack.ts";

/** How much example data there is; the same seed gives the same rows. */
export interface Amount {
  readonly payments: number;
  readonly days: number;
  readonly seed: number;
}

/** Months of example data of the usual size. */
export const USUAL: Amount = { payments: 1600, days: 120, seed: 1 };

const program = (name: string) => join(root, "tools", "local", name);

/**
 * Fills the databases of a state with the fixtures and with months of example data. The stack must not run. In processes
 * of their own, as the runtime would end this one at a signal. @returns the exit code of the last one.
 */
export async function fillMonths({ stateDir, edge, sandbox }: StackPlace, { payments, days, seed }: Amount): Promise<number> {
  const code = await runTool(program("seed.ts"), [stateDir, sandbox, "fixtures", "1"], { quiet: true });
  if (code !== 0) return code;
  return runTool(program("seed-months.ts"), [stateDir, edge, sandbox, ...[payments, days, seed].map(String)]);
}
