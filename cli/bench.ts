import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Latency, measureBurst } from "../bench/burst.ts";
import { measureDeliveries } from "../bench/deliveries.ts";
import { DISTANCES, measureDistance } from "../bench/distance.ts";
import { pictureOfDistance, pictureOfRatios } from "../bench/pictures.ts";
import { measureRedirects } from "../bench/redirects.ts";
import { measureScale } from "../bench/scale.ts";
import { measureStart } from "../bench/start.ts";
import { type Growth, measureConnections, measureWorker } from "../bench/worker-costs.ts";
import { OFFLINE, root } from "../local/processes.ts";

const PARTS: Readonly<Record<string, () => Promise<object>>> = {
  worker: workerResults,
  connections: connectionResults,
  scale: scaleResults,
  deliveries: deliveryResults,
  burst: burstResults,
  redirects: redirectResults,
  start: startResults,
  distance: distanceResults,
};

/**
 * `npm run bench`: compares the deployable Worker with the platform (`worker`), and over more and more connections
 * (`connections`), large ledgers with small ones (`scale`), deliveries with a plain loop (`deliveries`), one partner's queries
 * with the same beside another's burst (`burst`), the memory that many short links take (`redirects`), what it takes to start
 * (`start`), and how long partners far from the databases wait (`distance`). Arguments select parts by name. CPU time counts the
 * Workers runtime only; on a shared machine it is more stable than wall-clock time.
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

/** Writes a picture for docs/performance.md. */
async function draw(name: string, picture: string): Promise<void> {
  const folder = join(root, "docs", "pictures");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.svg`), picture);
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
  const { delivered, loop, parallelLoop, besideHanging, cpu } = await measureDeliveries(console.log);
  const against = {
    "a loop, one at a time": delivered / loop,
    "a loop, five at a time": delivered / parallelLoop,
    "the same, while one receiver in five hangs": besideHanging / parallelLoop,
  };
  const rates = Object.fromEntries(Object.entries(against).map(([name, ratio]) => [name, Number(ratio.toFixed(2))]));
  console.table(Object.fromEntries(Object.entries(rates).map(([name, ratio]) => [name, { "deliveries a second ×": ratio }])));
  console.log(`${Math.round(delivered)} deliveries a second here, ${cpu ?? "?"} ms of the runtime's CPU each, D1 and the queue included.`);
  return { reference: "fetches a second of a plain loop that signs and sends, and keeps no record", ratios: rates };
}

async function burstResults(): Promise<object> {
  console.log("Starting the Worker three times: a partner alone, beside a burst, and beside a burst over its limit …");
  const results = await measureBurst(console.log);
  console.table(
    Object.fromEntries(
      Object.entries(results).map(([name, { median, slow }]: [string, Latency]) => [
        name,
        { "median ms": median, "95 of 100 within ms": slow },
      ]),
    ),
  );
  return { reference: "lists of 100 by one partner, while another sends over 32 connections", results };
}

async function redirectResults(): Promise<object> {
  console.log("Storing twenty thousand links, then following them over 64 connections …");
  const results = await measureRedirects(console.log);
  for (const { requests, perSecond, megabytes } of results.many)
    console.log(
      `${requests} redirects by all links: ${perSecond} a second; the runtime holds ${megabytes ?? "?"} MB, and ${results.megabytes ?? "?"} MB before.`,
    );
  return { reference: "memory before, in megabytes", ...results };
}

async function startResults(): Promise<object> {
  console.log("Starting the Worker and a bare one, in turn …");
  const results = await measureStart(console.log);
  console.log(
    `The Worker answers first after ${results.product ?? "?"} ms of CPU, a bare one after ${results.bare ?? "?"}: ${results.above ?? "?"} ms above it.`,
  );
  return { reference: "a Worker with the same bindings that answers 404", ...results };
}

async function distanceResults(): Promise<object> {
  console.log("Asking a Worker that is farther and farther from its databases …");
  const results = await measureDistance(console.log);
  const columns = ["near", ...DISTANCES.map((distance) => `${distance} ms away`)];
  console.table(
    Object.fromEntries(
      results.map(({ name, times, trips }) => [
        name,
        { "far trips": trips, ...Object.fromEntries(columns.map((column, index) => [column, times[index] ?? "?"])) },
      ]),
    ),
  );
  await draw("distance", pictureOfDistance(results, DISTANCES));
  return { reference: "milliseconds of half of the answers, over one connection", distances: DISTANCES, results };
}

async function workerResults(): Promise<object> {
  console.log("Bundling the Worker and starting it beside the reference …");
  const { results, size } = await measureWorker(console.log);
  console.table(
    Object.fromEntries(
      results.map(({ name, by, goal, ratio, cpu, baseCpu }) => [
        name,
        {
          [by === "cpu" ? "CPU ×" : "rate ×"]: ratio ?? "?",
          goal: `${by === "cpu" ? "≤" : "≥"} ${goal}`,
          reached: ratio !== null && (by === "cpu" ? ratio <= goal : ratio >= goal) ? "yes" : "no",
          "CPU µs": cpu ?? "?",
          "of the reference": baseCpu ?? "?",
        },
      ]),
    ),
  );
  await draw("ratios", pictureOfRatios(results));
  console.log(`The bundle has ${Math.round(size.raw / 1024)} KiB, ${Math.round(size.compressed / 1024)} KiB compressed.`);
  return { results, size };
}

async function connectionResults(): Promise<object> {
  console.log("Bundling the Worker and starting it beside the reference, for more and more connections …");
  const growth = await measureConnections(console.log);
  const names = growth[0]?.results.map(({ name }) => name) ?? [];
  const over = (name: string) =>
    growth.map(({ connections, results }) => [`over ${connections}`, rateOf(results.find((one) => one.name === name))] as const);
  console.table(Object.fromEntries(names.map((name) => [name, Object.fromEntries(over(name))])));
  return { reference: "requests a second of the reference over as many connections", growth };
}

function rateOf(found: Growth["results"][number] | undefined): string {
  return `${found?.perSecond ?? "?"} a second, ×${found?.rateRatio ?? "?"}`;
}
