import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureDeliveries } from "../bench/deliveries.ts";
import { prepareBench, type RequestWorkload } from "../bench/requests.ts";
import { median, ratios, type Sample, sample } from "../bench/sampling.ts";
import { measureScale } from "../bench/scale.ts";
import { OFFLINE, root } from "../local/processes.ts";

const CONCURRENCY = 8;
const ROUNDS = 3;

const PARTS: Readonly<Record<string, () => Promise<object>>> = {
  requests: measureRequests,
  scale: scaleResults,
  deliveries: deliveryResults,
};

/**
 * `npm run bench`: measures the cost of requests, as a ratio to a bare request in the same round, and how they scale
 * with a large ledger. Arguments select parts by name. CPU time counts the Workers runtime only; on a shared machine it
 * is more stable than wall-clock time.
 */
export async function run(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => PARTS[name] === undefined);
  if (unknown.length > 0) {
    console.error(`Unknown benchmark ${unknown.join(", ")}. Available: ${Object.keys(PARTS).join(", ")}`);
    return 2;
  }
  Object.assign(process.env, OFFLINE, { WRANGLER_LOG: "warn" });
  const file = join(root, "bench", "results.json");
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const results = { ...(await earlier(file)), [name]: await measure() };
    await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  }
  return 0;
}

/** Earlier results, which keep those of the other parts; empty if there is no valid file. */
async function earlier(file: string): Promise<object> {
  try {
    const found: unknown = JSON.parse(await readFile(file, "utf8"));
    const isOurs = typeof found === "object" && found !== null && Object.keys(found).every((key) => key in PARTS);
    return isOurs ? found : {};
  } catch {
    return {};
  }
}

async function scaleResults(): Promise<object> {
  console.log("Making a ledger of ten thousand movements and one of a million …");
  const results = await measureScale(console.log);
  console.table(
    Object.fromEntries(
      results.map(({ name, rows, cpuRatio, timeRatio }) => [
        name,
        { "rows shown": rows?.shown ?? "", "rows read": rows?.read ?? "", "CPU ×": cpuRatio ?? "?", "time ×": timeRatio ?? "?" },
      ]),
    ),
  );
  return { reference: "the same with ten thousand movements", results };
}

async function deliveryResults(): Promise<object> {
  console.log("Delivering a thousand events to twenty receivers, round by round …");
  const { delivered, loop, parallelLoop, cpu } = await measureDeliveries(console.log);
  const against = { "a loop, one at a time": delivered / loop, "a loop, five at a time": delivered / parallelLoop };
  const rates = Object.fromEntries(Object.entries(against).map(([name, ratio]) => [name, Number(ratio.toFixed(2))]));
  console.table(Object.fromEntries(Object.entries(rates).map(([name, ratio]) => [name, { "deliveries a second ×": ratio }])));
  console.log(`${Math.round(delivered)} deliveries a second here, ${cpu ?? "?"} ms of the runtime's CPU each, D1 and the queue included.`);
  return { reference: "fetches a second of a plain loop that signs and sends, and keeps no record", ratios: rates };
}

async function measureRequests(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-bench-"));
  console.log("Starting the Worker and the sandbox …");
  const bench = await prepareBench(folder);
  try {
    const rounds: Map<string, Sample>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const samples = new Map<string, Sample>();
      for (const workload of bench.workloads) samples.set(workload.name, await sample(workload, CONCURRENCY));
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(samples);
      console.log(round === 0 ? "warmed up" : `round ${round} of ${ROUNDS} done`);
    }
    const reference = bench.workloads.find((workload) => workload.reference)?.name ?? "";
    const results = bench.workloads.map((workload) => summarise(workload, rounds, reference));
    console.table(
      Object.fromEntries(results.map(({ name, cpuRatio, timeRatio }) => [name, { "CPU ×": cpuRatio ?? "?", "time ×": timeRatio ?? "?" }])),
    );
    const cost = median(
      rounds.map((samples) => (samples.get(reference)?.cpu ?? Number.NaN) * 1_000),
      2,
    );
    if (cost !== null && !Number.isNaN(cost))
      console.log(`The reference cost ${cost} ms of CPU here, the runtime's own D1 and storage included.`);
    return { reference, concurrency: CONCURRENCY, results };
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The ratio to the reference in the same round; the median of all rounds. */
function summarise({ name, requests }: RequestWorkload, rounds: readonly Map<string, Sample>[], reference: string) {
  const found = rounds.map((samples) => ratios(samples.get(name), samples.get(reference)));
  return { name, requests, cpuRatio: median(found.map(({ cpu }) => cpu)), timeRatio: median(found.map(({ time }) => time)) };
}
