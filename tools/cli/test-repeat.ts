import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { readArguments, wholeNumber } from "./arguments.ts";
import { CpuMeter } from "./test-repeat/cpu-meter.ts";

const COMMAND_LINE = {
  name: "test:repeat",
  help: "Runs all tests several times, or beside a busy machine, and reports wall time, CPU time and counts.",
  options: {
    times: { ...wholeNumber("times", { describe: "How often", min: 1 }), default: "10" },
    beside: { ...wholeNumber("beside", { describe: "Beside how many busy loops", min: 0 }), default: "0" },
    full: { type: "boolean", default: false, describe: "The long proofs in full" },
  },
} as const;

interface Run {
  readonly passed: boolean;
  readonly tests: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number | null;
}

/**
 * `npm run test:repeat`: runs `npm test` several times in a row, optionally beside CPU-bound processes, and prints wall
 * time, CPU time and the number of tests of each. Fails if one run fails.
 */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { times, beside, full } = read.options;
  const loops = Array.from({ length: beside }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  let failures = 0;
  try {
    for (let number = 1; number <= times; number += 1) {
      const { passed, tests, wallSeconds, cpuSeconds } = await runOnce(full ? "test:full" : "test");
      if (!passed) failures += 1;
      const cpu = cpuSeconds === null ? "not measured here" : `${cpuSeconds.toFixed(0)} s`;
      console.log(`run ${number} of ${times}: ${passed ? "green" : "RED"}, wall ${wallSeconds.toFixed(0)} s, CPU ${cpu}, ${tests}`);
    }
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
  }
  console.log(failures === 0 ? `All ${times} runs are green.` : `${failures} of ${times} runs failed.`);
  return failures === 0 ? 0 : 1;
}

async function runOnce(script: string): Promise<Run> {
  const started = performance.now();
  const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] });
  const meter = new CpuMeter(child.pid ?? 0);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
  const cpuSeconds = meter.stop();
  if (code !== 0) process.stdout.write(output);
  const tests = /^\s*Tests\s+(.*)$/m.exec(stripVTControlCharacters(output))?.[1] ?? "no summary of tests";
  return { passed: code === 0, tests, wallSeconds: (performance.now() - started) / 1000, cpuSeconds };
}
