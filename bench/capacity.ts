import { type Cells, startCells } from "./cells.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { ask, makeSellers, sell } from "./sellers.ts";

/** The numbers of cells. */
const CELLS = [1, 2, 4] as const;

/** The number of customers that pay in parallel in each cell. */
const CUSTOMERS_IN_CELL = 10;

interface Effort {
  /** The service time of a round trip in milliseconds. A database serves one at a time. */
  readonly service: number;
  /** Payments in each cell. */
  readonly payments: number;
}

const WHOLE: Effort = { service: 25, payments: 24 };

/** The cost of a payment, from the request for its link to the answer of the partner's receiver. */
interface Cost {
  /** Payments per second, until all were recorded and delivered. */
  readonly perSecond: number;
  /** Round trips per payment to the directory, and to the busiest cell. */
  readonly directory: number;
  readonly cell: number;
  /** The time of a round trip on this machine with one payment at a time, in milliseconds. */
  readonly trip: number;
  /** CPU time of the runtime and the sandbox in milliseconds; null if the machine does not report it. */
  readonly cpu: number | null;
}

export interface Capacity extends Cost {
  readonly cells: number;
  /** Payments per second by the model. */
  readonly predicted: number;
}

export interface CapacityResults {
  /** Milliseconds per round trip. */
  readonly service: number;
  /** Payments per second with instant databases: the limit of this machine's cores. */
  readonly cores: number;
  readonly trips: Trips;
  readonly results: readonly Capacity[];
}

/** Payments per second with more and more cells, measured and by the model. */
export async function measureCapacity(
  say: (progress: string) => void,
  effort: Effort = WHOLE,
  sizes: readonly number[] = CELLS,
): Promise<CapacityResults> {
  const free = await measure(sizes.at(-1) ?? 1, { ...effort, service: 0 });
  say(`databases that answer at once: ${free.perSecond} payments a second`);
  const found: (Cost & { readonly cells: number })[] = [];
  for (const cells of sizes) {
    found.push({ cells, ...(await measure(cells, effort)) });
    say(`${cells} ${cells === 1 ? "cell" : "cells"}: ${found.at(-1)?.perSecond} payments a second`);
  }
  const [one, two] = found;
  const trips = tripsOf(one, two);
  const results = found.map((cost) => ({
    ...cost,
    predicted: rounded(Math.min(free.perSecond, capacityOf(cost.cells, trips, effort.service))),
  }));
  return { service: effort.service, cores: free.perSecond, trips, results };
}

/** Round trips of a payment: to the directory, with several cells, and to its partner's cell. */
export interface Trips {
  readonly directory: number;
  readonly own: number;
}

/** The round trips that follow from the measurements with one and two cells. */
function tripsOf(one: Cost | undefined, two: Cost | undefined): Trips {
  return { directory: two?.directory ?? 0, own: one?.cell ?? 0 };
}

/**
 * The model: payments per second with this many cells, if a database serves one round trip at a time in `service`
 * milliseconds. The busiest database is the limit.
 */
export function capacityOf(cells: number, { directory, own }: Trips, service: number): number {
  return 1_000 / (service * Math.max(directory, own / cells));
}

async function measure(count: number, { service, payments }: Effort): Promise<Cost> {
  const runtime = await startCells(count);
  try {
    const sellers = await makeSellers(runtime);
    const wanted = payments * count;
    // Code that is loaded on first use is not counted.
    for (const seller of sellers) await sell(runtime, seller);
    await settled(runtime, sellers.length);
    const alone = Object.values(await served(runtime, service));
    const sum = (of: keyof Served) => alone.reduce((all, one) => all + one[of], 0);
    const [cpu, startedAt] = [runtimeCpuSeconds(), performance.now()];
    let sold = 0;
    const customer = async () => {
      while (sold < wanted) {
        const seller = sellers[sold % sellers.length];
        sold += 1;
        if (seller !== undefined) await sell(runtime, seller);
      }
    };
    await Promise.all(Array.from({ length: CUSTOMERS_IN_CELL * count }, customer));
    await settled(runtime, sellers.length + wanted);
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = runtimeCpuSeconds();
    const { DIRECTORY: directory, ...inCells } = await served(runtime, service);
    return {
      perSecond: rounded(wanted / seconds),
      directory: rounded((directory?.trips ?? 0) / wanted),
      cell: rounded(Math.max(0, ...Object.values(inCells).map(({ trips }) => trips)) / wanted),
      trip: Number((sum("took") / sum("trips")).toFixed(2)),
      cpu: cpu === null || used === null ? null : rounded(((used - cpu) / wanted) * 1_000),
    };
  } finally {
    await runtime.close();
  }
}

interface Served {
  readonly trips: number;
  /** Milliseconds of all round trips, without queueing. */
  readonly took: number;
}

/** The work of each database since the last call. From now on a round trip takes this many milliseconds. */
async function served({ product }: Cells, service: number): Promise<Record<string, Served>> {
  return (await ask(product, `/bench/service?ms=${service}`, null)) as Record<string, Served>;
}

/** Waits until this many payments are recorded, and their receivers have the events. */
async function settled({ cells }: Cells, payments: number): Promise<void> {
  for (;;) {
    const rows = await Promise.all(cells.map((cell) => cell.prepare(DONE).first<{ paid: number; taken: number }>()));
    const sum = (of: "paid" | "taken") => rows.reduce((all, row) => all + (row?.[of] ?? 0), 0);
    if (sum("paid") >= payments && sum("taken") >= payments) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const DONE = `SELECT (SELECT COUNT(*) FROM movements) AS paid, (SELECT COUNT(*) FROM events WHERE state = 'succeeded') AS taken`;

const rounded = (value: number) => Number(value.toFixed(1));
