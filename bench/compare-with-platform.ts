import type { Comparison, Side } from "./compared-requests.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import type { Runtime } from "./runtime.ts";
import { median } from "./sampling.ts";
import { openPool, type Pool } from "./sockets.ts";
import { goingOn } from "./worker-options.ts";

/** The size of a measurement. `share`: of the requests of a slice. */
export interface Effort {
  readonly rounds: number;
  readonly share: number;
}

export interface Compared extends Round {
  readonly name: string;
  readonly reference: string;
  readonly by: "cpu" | "rate";
  readonly goal: number;
}

/** Medians of the rounds. */
interface Round {
  /** The compared ratio: of CPU or of rates. */
  readonly ratio: number | null;
  /** CPU microseconds of a request. */
  readonly cpu: number | null;
  readonly baseCpu: number | null;
  /**
   * The product's requests per second, and their ratio to the reference's. The reference also does the work that only
   * the product does.
   */
  readonly perSecond: number | null;
  readonly rateRatio: number | null;
}

/**
 * Compares the product with the reference over these connections: short slices in turn, medians of the rounds' ratios.
 */
export async function compareAll(
  runtime: Runtime,
  all: readonly Comparison[],
  connections: number,
  { rounds: count, share }: Effort,
  say: (progress: string) => void,
): Promise<Compared[]> {
  const pools = {
    product: openPool(runtime.product, connections),
    links: openPool(runtime.links, connections),
    reference: openPool(runtime.reference, connections),
  };
  try {
    for (const { first } of all) if (first !== undefined) await pools.product.run(1, () => first, 200);
    const rounds: Map<string, Round>[] = [];
    for (let round = 0; round <= count; round += 1) {
      const found = new Map<string, Round>();
      for (const comparison of all) found.set(comparison.name, await compare(runtime, pools, comparison, share, round % 2 === 0));
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(found);
      say(round === 0 ? "warmed up" : `round ${round} of ${count} done`);
    }
    return all.map(({ name, reference, by, goal }) => {
      const of = (field: keyof Round, decimals: number) =>
        median(
          rounds.map((round) => round.get(name)?.[field] ?? null),
          decimals,
        );
      return {
        name,
        reference,
        by,
        goal,
        ratio: of("ratio", 2),
        cpu: of("cpu", 0),
        baseCpu: of("baseCpu", 0),
        perSecond: of("perSecond", 0),
        rateRatio: of("rateRatio", 2),
      };
    });
  } finally {
    for (const pool of Object.values(pools)) pool.close();
  }
}

type Pools = Readonly<Record<Side["to"], Pool>>;

async function compare(
  runtime: Runtime,
  pools: Pools,
  { by, requests, product, base, without, left }: Comparison,
  share: number,
  isProductFirst: boolean,
): Promise<Round> {
  const rest = left === undefined ? null : () => isDone(runtime.cell, left);
  const slice = (side: Side) => measure(pools[side.to], side, Math.ceil(requests * share), rest);
  const first = isProductFirst ? await slice(product) : null;
  const reference = await slice(base);
  const own = first ?? (await slice(product));
  const extra = without === undefined ? null : await slice(without);
  const cpu = own.cpu === null ? null : own.cpu - (extra?.cpu ?? 0);
  const cpuRatio = cpu === null || reference.cpu === null ? null : cpu / reference.cpu;
  const rateRatio = own.rate * (1 / reference.rate + (extra === null ? 0 : 1 / extra.rate));
  return { ratio: by === "rate" ? rateRatio : cpuRatio, cpu, baseCpu: reference.cpu, perSecond: own.rate, rateRatio };
}

/** `rest`: waits for work that continues after the answers. */
async function measure(
  pool: Pool,
  { request, status }: Side,
  requests: number,
  rest: (() => Promise<void>) | null,
): Promise<{ readonly cpu: number | null; readonly rate: number }> {
  const before = runtimeCpuSeconds();
  const seconds = await pool.run(requests, request, status);
  await rest?.();
  const after = runtimeCpuSeconds();
  return { cpu: before === null || after === null ? null : ((after - before) / requests) * 1_000_000, rate: requests / seconds };
}

/** The poll interval, so long that polling costs nothing beside the work. In milliseconds. */
const LOOK_EVERY = 50;

async function isDone(cell: D1Database, left: string): Promise<void> {
  const look = () => goingOn(() => cell.prepare(left).first("count"));
  while ((await look()) !== 0) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
}
