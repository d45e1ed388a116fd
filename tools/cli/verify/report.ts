import { differencesOf } from "./differences.ts";
import { type Recorded, record } from "./recorder.ts";

/**
 * Runs a walk on the target and on the sandbox, and prints the differences of the answers. `walk` prints its steps.
 * Returns the number of differences. @throws what the walk on the target throws.
 */
export async function compareWalks(walkTarget: () => Promise<void>, walkSandbox: () => Promise<void>): Promise<number> {
  const target = await record(walkTarget);
  const sandbox = await record(walkSandbox);
  const differences = target.flatMap((answer, index) => differencesAt(answer, sandbox[index]));
  const unique = [...new Set(differences)];
  console.log(`\n${target.length} answers compared with the sandbox's, ${unique.length} differences.`);
  for (const difference of unique) console.log(`  ${difference}`);
  return unique.length;
}

function differencesAt(target: Recorded, sandbox: Recorded | undefined): string[] {
  if (sandbox?.call !== target.call) return [`${target.call}: the sandbox was asked ${sandbox?.call ?? "nothing"} instead`];
  if (sandbox.status !== target.status) return [`${target.call}: status ${target.status} there, ${sandbox.status} in the sandbox`];
  return differencesOf(target.body, sandbox.body).map((difference) => `${target.call}: ${difference}`);
}
