import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Latency, measureBurst } from "../../../bench/burst.ts";
import { measureCapacity } from "../../../bench/capacity.ts";
import { measureDeliveries } from "../../../bench/deliveries.ts";
import { DISTANCES, measureDistance } from "../../../bench/distance.ts";
import { type Growth, measureConnections, measureWorker } from "../../../bench/measure-worker.ts";
import { pictureOfCapacity, pictureOfDistance, pictureOfModel, pictureOfRatios } from "../../../bench/pictures.ts";
import { measureRedirects } from "../../../bench/redirects.ts";
import { measureReports, ORDERS } from "../../../bench/reports.ts";
import { measureScale } from "../../../bench/scale.ts";
import { measureStart } from "../../../bench/start.ts";
import { root } from "../../local/processes.ts";
import type { Part } from "./names.ts";

interface PartOptions {
  /** Whether the pictures of docs/ are drawn again. */
  readonly pictures: boolean;
}

/** Each part of the benchmark measures, shows a table, and returns its entry for `bench/results.json`. */
export const measures: Readonly<Record<Part, (options: PartOptions) => Promise<object>>> = {
  worker: workerResults,
  connections: connectionResults,
  scale: scaleResults,
  deliveries: deliveryResults,
  burst: burstResults,
  redirects: redirectResults,
  start: startResults,
  distance: distanceResults,
  capacity: capacityResults,
  reports: reportResults,
};

/** Writes a picture for docs/performance.md, if that is asked for. */
async function draw({ pictures }: PartOptions, name: string, picture: string): Promise<void> {
  if (!pictures) return;
  const folder = join(root, "docs", "pictures");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.svg`), picture);
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

async function reportResults(): Promise<object> {
  console.log(`Making a partner with ${ORDERS.toLocaleString("en")} orders of three years, and asking its books …`);
  const results = await measureReports(console.log);
  console.table(Object.fromEntries(results.map(({ name, time, ratio }) => [name, { ms: time ?? "?", "of one scan ×": ratio ?? "?" }])));
  return { reference: "one scan of the partner's movements that sums one column; milliseconds", results };
}

async function deliveryResults(): Promise<object> {
  console.log("Delivering five hundred events to twenty receivers, round by round …");
  const { ratios, ...found } = await measureDeliveries(console.log);
  console.table({
    "batches side by side": { "a second": found.delivered, "of the loop": ratios.delivered ?? "?", goal: "≥ 0.25" },
    "while one receiver in five hangs": { "a second": found.besideHanging, "of the loop": ratios.besideHanging ?? "?", goal: "≥ 0.2" },
    "by the local queue, one batch at a time": { "a second": found.byLocalQueue, "of the loop": ratios.byLocalQueue ?? "?", goal: "" },
  });
  console.log(`A delivery takes ${found.cpu ?? "?"} ms of the runtime's CPU, D1 included, and one of the loop ${found.loopCpu ?? "?"}.`);
  return { reference: "a loop in a Worker that signs and sends as many at a time, and keeps no record", ratios, ...found };
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
  console.log("Storing twelve thousand links, then following them over 64 connections …");
  const results = await measureRedirects(console.log);
  console.table(
    Object.fromEntries(
      results.passes.map(({ what, requests, perSecond, megabytes }) => [what, { requests, "a second": perSecond, MB: megabytes ?? "?" }]),
    ),
  );
  console.log(`The runtime held ${results.megabytes ?? "?"} MB before.`);
  return { reference: "memory before, in megabytes", ...results };
}

async function startResults(): Promise<object> {
  console.log("Starting each of the two Workers and a bare one, in turn …");
  const { load, firsts } = await measureStart(console.log);
  const loaded = `the Worker of the API ${load.product ?? "?"} ms, and that of the short links ${load.links ?? "?"} ms`;
  console.log(`To load takes, of CPU above a bare one: ${loaded}. What comes first then takes, above the same:`);
  console.table(
    Object.fromEntries(
      firsts.map(({ name, worker, answer, wait }) => [
        name,
        {
          "ms of CPU": answer ?? "?",
          "with the load": (load[worker] ?? Number.NaN) + (answer ?? Number.NaN),
          "ms until the answer": wait ?? "?",
        },
      ]),
    ),
  );
  console.log("Evaluated for the first answer, the dearest, by a profile (which adds to it):");
  for (const { name, dearest } of firsts)
    console.log(`  ${name}: ${dearest.map(({ module, ms }) => `${module} ${ms.toFixed(1)} ms`).join(", ") || "nothing"}`);
  return { reference: "a Worker with the same bindings and data that answers 404; milliseconds of CPU", load, firsts };
}

async function distanceResults(options: PartOptions): Promise<object> {
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
  await draw(options, "distance", pictureOfDistance(results, DISTANCES));
  return { reference: "milliseconds of half of the answers, over one connection", distances: DISTANCES, results };
}

async function capacityResults(options: PartOptions): Promise<object> {
  console.log("Selling to as many customers as go through one cell, two and four …");
  const { results, ...found } = await measureCapacity(console.log);
  console.table(
    Object.fromEntries(
      results.map(({ cells, perSecond, predicted, directory, cell, trip, cpu }) => [
        `${cells} ${cells === 1 ? "cell" : "cells"}`,
        {
          "payments a second": perSecond,
          "by the model": predicted,
          "trips to the directory": directory,
          "to the busiest cell": cell,
          "a trip alone, ms": trip,
          "CPU ms": cpu ?? "?",
        },
      ]),
    ),
  );
  console.log(
    `A database takes ${found.service} ms for each trip. With none of that, this machine's cores carry ${found.cores} payments a second.`,
  );
  await draw(options, "capacity", pictureOfCapacity(results));
  await draw(options, "capacity-model", pictureOfModel(found.trips));
  return { reference: `databases that serve one round trip at a time, and take ${found.service} ms for it`, ...found, results };
}

async function workerResults(options: PartOptions): Promise<object> {
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
  await draw(options, "ratios", pictureOfRatios(results));
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
