import { atInterruption } from "../../local/interruption.ts";

/** The steps of a deployment, in their order. */
const STEPS = [
  "Who is logged in",
  "What the account must have",
  "Settings and secrets",
  "What the service keeps its data in",
  "What partners have installed",
  "Migrations",
  "The Worker of the short links",
  "The Worker",
  "Check",
] as const;
type Step = (typeof STEPS)[number];

let current: Step = STEPS[0];

/** Runs a deployment. If a signal ends it, it prints what was done, what was not, and how to go on. */
export function inSteps(work: () => Promise<number>): Promise<number> {
  current = STEPS[0];
  return work().finally(atInterruption(() => console.error(whatWasDone(current))));
}

/** Prints that a step begins. */
export function begin(step: Step): void {
  current = step;
  console.log(`\n${STEPS.indexOf(step) + 1}. ${step}`);
}

/** Prints what a step has done. */
export function tell(line: string): void {
  console.log(`   ${line}`);
}

/** What a deployment that was interrupted in a step has done, and how it goes on. */
export function whatWasDone(step: Step): string {
  const at = STEPS.indexOf(step);
  const named = (steps: readonly Step[]) => (steps.length === 0 ? "nothing" : steps.map((one) => `"${one}"`).join(", "));
  const name = step === "The Worker" ? "<deployment>" : step === "The Worker of the short links" ? "<deployment>-links" : null;
  const isLive = name === null ? "" : ` \`npx wrangler deployments list --name ${name}\` shows whether the new version is live.`;
  return `
Interrupted in step ${at + 1}, "${step}". Done: ${named(STEPS.slice(0, at))}. Not begun: ${named(STEPS.slice(at + 1))}.
What step ${at + 1} had sent to the platform may still be carried out.${isLive}
To go on, run the same command again: it finds what is there, and makes nothing twice.`;
}
