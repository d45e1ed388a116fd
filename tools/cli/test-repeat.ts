import { spawn } from "node:child_process";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { CpuMeter } from "./test-repeat/cpu-meter.ts";

const HELP = "npm run test:repeat -- [--times 10] [--beside 0] [--full]: run the tests so often, beside so many busy loops";

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
  const wanted = readArgs(args);
  if (wanted === null) {
    console.error(HELP);
    return 2;
  }
  const { times, beside, full } = wanted;
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

/** Null for unknown arguments. */
function readArgs(args: readonly string[]): { times: number; beside: number; full: boolean } | null {
  const options = {
    times: { type: "string", default: "10" },
    beside: { type: "string", default: "0" },
    full: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const [times, beside] = [Number(values.times), Number(values.beside)];
  if (!Number.isInteger(times) || times < 1 || !Number.isInteger(beside) || beside < 0 || positionals.length > 0) return null;
  return { times, beside, full: values.full === true };
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
