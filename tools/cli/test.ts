import { chromiumPath } from "../local/chromium.ts";
import { runTool } from "../local/processes.ts";
import { drawPart, PARTS } from "../local/test-parts.ts";
import { buildSite } from "../site/build.ts";

/** `npm test`: every test, in the Workers runtime; the long proofs with a part of their cases. Arguments go to the test runner. */
export function run(args: readonly string[]): Promise<number> {
  return test(args, "default");
}

/** `npm run test:full`: the same, with all cases of the long proofs. */
export function runFull(args: readonly string[]): Promise<number> {
  return test(args, "full");
}

/** The time limit in milliseconds, which only a hanging run reaches, however slow or busy the machine is. */
const HANG = { default: 45 * 60_000, full: 4 * 60 * 60_000 };

async function test(args: readonly string[], scale: "default" | "full"): Promise<number> {
  // The tests read the built site.
  await buildSite();
  process.env.TEST_SCALE = scale;
  const part = drawPart(process.env.TEST_PART);
  process.env.TEST_PART = String(part);
  const started = performance.now();
  const code = await runTool("vitest", ["run", ...args], { atMost: HANG[scale] });
  if (performance.now() - started >= HANG[scale])
    console.error(
      `The tests hung and were ended after ${HANG[scale] / 60_000} minutes. The files that hang are those without a line above.`,
    );
  const again = scale === "full" ? "npm run test:full --" : `TEST_PART=${part} npm test --`;
  if (code !== 0) console.log(`To run one file alone: ${again} <file>; one test of it: ${again} <file> -t '<words of its name>'.`);
  if (scale === "default")
    console.log(`The long proofs tried part ${part} of their cases, of 0 to ${PARTS - 1}; npm run test:full tries all.`);
  if (chromiumPath === undefined) console.log("No Chromium was found, so the tests of pages were skipped (set its path with CHROMIUM=…).");
  return code;
}
