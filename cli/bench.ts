import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtimeCpuSeconds } from "../bench/cpu.ts";
import { prepareBench, type Workload } from "../bench/requests.ts";
import { OFFLINE, root } from "./processes.ts";

const CONCURRENCY = 8;
const ROUNDS = 3;

interface Measured {
  readonly name: string;
  readonly requests: number;
  /** Against the reference in the same round; the median of the rounds. */
  readonly cpuRatio: number | null;
  readonly timeRatio: number;
}

interface Sample {
  readonly cpu: number | null;
  readonly time: number;
}

/**
 * `npm run bench`: what requests cost, each as a ratio to a bare request in the same round. CPU time is that of the
 * runtime alone, and steadier than the clock on a machine with neighbours.
 */
export async function run(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-bench-"));
  console.log("Starting the Worker and the sandbox …");
  Object.assign(process.env, OFFLINE);
  const bench = await prepareBench(folder);
  try {
    const rounds: Map<string, Sample>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const samples = new Map<string, Sample>();
      for (const workload of bench.workloads) samples.set(workload.name, await sample(workload));
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(samples);
      console.log(round === 0 ? "warmed up" : `round ${round} of ${ROUNDS} done`);
    }
    const referenceName = bench.workloads.find(({ reference }) => reference)?.name ?? "";
    const results = bench.workloads.map((workload) => summarise(workload, rounds, referenceName));
    console.table(
      Object.fromEntries(
        results.map(({ name, requests, cpuRatio, timeRatio }) => [name, { requests, "CPU ×": cpuRatio, "time ×": timeRatio }]),
      ),
    );
    const costs = rounds.flatMap((samples) => samples.get(referenceName)?.cpu ?? []);
    const cost = median(
      costs.map((seconds) => seconds * 1_000),
      2,
    );
    if (cost !== null) console.log(`The reference cost ${cost} ms of CPU here, the runtime's own D1 and storage included.`);
    await writeFile(
      join(root, "bench", "results.json"),
      `${JSON.stringify({ reference: "GET /health", concurrency: CONCURRENCY, results }, null, 2)}\n`,
    );
    return 0;
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function sample({ requests, send }: Workload): Promise<Sample> {
  const cpuBefore = runtimeCpuSeconds();
  const startedAt = performance.now();
  let sent = 0;
  const worker = async () => {
    while (sent < requests) {
      sent += 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const cpuAfter = runtimeCpuSeconds();
  return {
    cpu: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / requests,
    time: (performance.now() - startedAt) / requests,
  };
}

function summarise({ name, requests }: Workload, rounds: readonly Map<string, Sample>[], reference: string): Measured {
  const ratios = (pick: (sample: Sample) => number | null) =>
    rounds.flatMap((samples) => {
      const [own, base] = [samples.get(name), samples.get(reference)].map((found) => (found === undefined ? null : pick(found)));
      return own == null || base == null || base === 0 ? [] : [own / base];
    });
  return { name, requests, cpuRatio: median(ratios(({ cpu }) => cpu)), timeRatio: median(ratios(({ time }) => time)) ?? Number.NaN };
}

function median(values: readonly number[], decimals = 1): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle === undefined ? null : Number(middle.toFixed(decimals));
}
