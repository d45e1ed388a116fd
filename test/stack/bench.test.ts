import { expect, it } from "vitest";
import { capacityOf, measureCapacity } from "../../bench/capacity.ts";
import { measureDeliveries } from "../../bench/deliveries.ts";
import { DISTANCES, measureDistance } from "../../bench/distance.ts";
import { measureConnections, measureWorker } from "../../bench/measure-worker.ts";
import { pictureOfCapacity, pictureOfDistance, pictureOfModel, pictureOfRatios } from "../../bench/pictures.ts";
import { measureRedirects } from "../../bench/redirects.ts";
import { measureStart } from "../../bench/start.ts";
import { isFull } from "./scale.ts";

/** The benchmark at its smallest: what it asks is answered, by the product and by the reference, and it counts. */
it.runIf(isFull)("npm run bench -- worker compares every figure of docs/performance.md", async () => {
  const said: string[] = [];
  const { results, size } = await measureWorker((line) => said.push(line), { rounds: 1, share: 0.01 });
  expect(said.slice(-2)).toEqual(["warmed up", "round 1 of 1 done"]);
  expect(results.map(({ name }) => name)).toEqual([
    "hot redirect",
    "hot redirect with a query",
    "a slug that KV knows",
    "list of 20",
    "list of 100",
    "cart link of 1, new, without upstream",
    "cart link of 20, new, without upstream",
    "link (operation 1), new, without upstream",
    "promotion code (operation 2), new, without upstream",
    "ruble payment (operation 9), new, without upstream",
    "cart link of 20, repeated",
    "from the processor's event to the ledger",
  ]);
  for (const { by, ratio } of results) if (by === "rate") expect(ratio).not.toBeNull();
  expect(size.compressed).toBeGreaterThan(100_000);
  // Of it, OAuth is 40,000, the plans of all countries' phone numbers are 66,000, the partners' own calls
  // 20,000, what verifies passkeys 100,000.
  expect(size.compressed).toBeLessThan(690_000);
});

it.runIf(isFull)("npm run bench -- connections goes over more and more connections", async () => {
  const growth = await measureConnections(() => undefined, { rounds: 1, share: 0.01 }, [1, 2]);
  const names = ["hot redirect", "list of 20", "cart link of 1, new, without upstream", "cart link of 20, repeated"];
  expect(growth.map(({ connections, results }) => [connections, results.map(({ name }) => name)])).toEqual([
    [1, names],
    [2, names],
  ]);
  for (const { results } of growth)
    for (const { perSecond, rateRatio } of results) expect([(perSecond ?? 0) > 0, (rateRatio ?? 0) > 0]).toEqual([true, true]);
});

it.runIf(isFull)("npm run bench -- deliveries delivers every event, also beside receivers that hang", async () => {
  const { delivered, besideHanging, byLocalQueue, loop, ratios } = await measureDeliveries(() => undefined, { rounds: 1, events: 40 });
  expect([delivered, besideHanging, byLocalQueue, loop].every((rate) => rate > 0)).toBe(true);
  expect(Object.values(ratios).every((ratio) => (ratio ?? 0) > 0)).toBe(true);
});

it.runIf(isFull)("npm run bench -- redirects follows every link", async () => {
  const { passes, megabytes } = await measureRedirects(() => undefined, { requests: 100, slugs: 20 });
  if (process.platform === "linux") expect([megabytes, passes[0]?.megabytes].every((held) => (held ?? 0) > 10)).toBe(true);
  expect(passes.map(({ requests, perSecond }) => [requests, perSecond > 0])).toEqual([
    [25, true],
    [50, true],
    [25, true],
  ]);
});

it.runIf(isFull)("npm run bench -- start compares two starts", async () => {
  const { load, firsts } = await measureStart(() => undefined, 1);
  // How much is measured in the benchmark alone.
  if (process.platform !== "linux") return;
  expect([Number.isInteger(load.product), Number.isInteger(load.links)]).toEqual([true, true]);
  expect(firsts).toHaveLength(7);
  for (const { answer, wait, dearest } of firsts)
    expect([Number.isInteger(answer), (wait ?? 0) > 0, dearest.length <= 5]).toEqual([true, true, true]);
  expect(firsts.at(-1)?.dearest).toHaveLength(5);
});

it.runIf(isFull)("npm run bench -- distance asks for each operation at each distance", async () => {
  const results = await measureDistance(() => undefined, 1);
  expect(results.map(({ name }) => name)).toEqual([
    "cart link of 1, new",
    "cart link of 1, repeated",
    "ruble payment (operation 9), new",
    "ruble payment (operation 9), repeated",
    "link (operation 1), new",
    "link (operation 1), repeated",
    "promotion code (operation 2), new",
    "promotion code (operation 2), repeated",
    "list of payments (5)",
    "live links (7)",
    "short link",
  ]);
  for (const { times } of results) expect([times.length, times.every((time) => time > 0)]).toEqual([1 + DISTANCES.length, true]);
});

it.runIf(isFull)("npm run bench -- capacity sells through more and more cells, and says what the model does", async () => {
  const { results, trips, cores } = await measureCapacity(() => undefined, { service: 1, payments: 2 }, [1, 2]);
  expect(results.map(({ cells, perSecond, predicted }) => [cells, perSecond > 0, predicted > 0])).toEqual([
    [1, true, true],
    [2, true, true],
  ]);
  expect(cores).toBeGreaterThan(0);
  // The key, and whether an operator has said whose the payment is.
  expect(trips.directory).toBeGreaterThanOrEqual(2);
  expect(trips.own).toBeGreaterThan(5);
  expect(results[1]?.cell).toBeLessThan(results[0]?.cell ?? 0);
});

it("the model of capacity: the busiest database gives out first", () => {
  const trips = { directory: 2, own: 10 };
  expect(capacityOf(1, trips, 1)).toBe(100);
  expect(capacityOf(1, trips, 4)).toBe(25);
  expect(capacityOf(4, trips, 1)).toBe(400);
  expect(capacityOf(5, trips, 1)).toBe(500);
  expect(capacityOf(40, trips, 1)).toBe(500);
});

it("draws what it has measured: a bar for each figure, and other ones for goals that are missed", () => {
  const figure = (name: string, ratio: number | null, by: "cpu" | "rate") => ({ name, by, goal: 1.2, ratio });
  const picture = pictureOfRatios([
    figure("a < b", 1.2, "cpu"),
    figure("slow", 1.3, "cpu"),
    figure("fast", 1.3, "rate"),
    figure("none", null, "cpu"),
  ]);
  expect(picture.match(/class="bar"/g)).toHaveLength(2);
  expect(picture.match(/class="missed"/g)).toHaveLength(1);
  expect(picture).toContain("a &lt; b");
  expect(picture).not.toContain("none");
  const far = pictureOfDistance([{ name: "link", times: [1, 2, 40, 150.4], trips: 1 }], [2, 40, 150]);
  expect(far.match(/<rect/g)).toHaveLength(4);
  expect(far).toContain("150 ms</text>");
  const capacity = pictureOfCapacity([
    { cells: 1, perSecond: 4, predicted: 5 },
    { cells: 2, perSecond: 8.5, predicted: 10 },
  ]);
  expect(capacity.match(/class="bar"/g)).toHaveLength(2);
  expect(capacity).toContain("8.5 (10)</text>");
  expect(pictureOfModel({ directory: 2, own: 10 }).match(/<circle/g)).toHaveLength(40);
});
