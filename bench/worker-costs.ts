import { type Comparison, comparisons, EVENT, recordingOf, type Side } from "./comparisons.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { creations } from "./creations.ts";
import { generateMovements } from "./movements.ts";
import { type RecordedEvent, recordEvent, recordOperation } from "./recordings.ts";
import { type Runtime, startRuntime } from "./runtime.ts";
import { median } from "./sampling.ts";
import { openPool, type Pool } from "./sockets.ts";

const CONNECTIONS = 16;
const SLUGS = 1_000;

/** How much is measured. `share`: of the requests of a slice. */
interface Effort {
  readonly rounds: number;
  readonly share: number;
  readonly movements: number;
}

const WHOLE: Effort = { rounds: 7, share: 1, movements: 10_000 };

export interface Compared {
  readonly name: string;
  readonly reference: string;
  readonly by: "cpu" | "rate";
  readonly goal: number;
  readonly ratio: number | null;
  /** CPU microseconds of a request. */
  readonly cpu: number | null;
  readonly baseCpu: number | null;
}

/** Compares the deployable Worker with the platform in one run: short slices in turn, medians of the rounds' ratios. */
export async function measureWorker(
  say: (progress: string) => void,
  { rounds: count, share, movements }: Effort = WHOLE,
): Promise<{ readonly results: Compared[]; readonly size: Runtime["size"] }> {
  const runtime = await startRuntime();
  const pools = { product: openPool(runtime.product, CONNECTIONS), reference: openPool(runtime.reference, CONNECTIONS) };
  try {
    await generateMovements(runtime.cell, movements);
    const slugs = Array.from({ length: Math.ceil(SLUGS * share) }, (_, index) => `01Bench${String(index).padStart(7, "0")}`);
    for (const slug of slugs) await runtime.shortLinks.put(slug, `acme https://checkout.example/${slug}`);
    say("recording what the product does, for the reference to do the same");
    const all = comparisons(slugs, await prepareReference(runtime));
    for (const { first } of all) if (first !== undefined) await pools.product.run(1, () => first, 200);
    const rounds: Map<string, Round>[] = [];
    for (let round = 0; round <= count; round += 1) {
      const found = new Map<string, Round>();
      for (const comparison of all) found.set(comparison.name, await compare(runtime, pools, comparison, share, round % 2 === 0));
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(found);
      say(round === 0 ? "warmed up" : `round ${round} of ${count} done`);
    }
    const results = all.map(({ name, reference, by, goal }) => {
      const of = (pick: (round: Round) => number | null, decimals: number) =>
        median(
          rounds.map((round) => {
            const found = round.get(name);
            return found === undefined ? null : pick(found);
          }),
          decimals,
        );
      return {
        name,
        reference,
        by,
        goal,
        ratio: of((one) => one.ratio, 2),
        cpu: of((one) => one.cpu, 0),
        baseCpu: of((one) => one.baseCpu, 0),
      };
    });
    return { results, size: runtime.size };
  } finally {
    pools.product.close();
    pools.reference.close();
    await runtime.close();
  }
}

interface Round {
  readonly ratio: number | null;
  readonly cpu: number | null;
  readonly baseCpu: number | null;
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
  const ratio = by === "rate" ? own.rate / reference.rate : cpu === null || reference.cpu === null ? null : cpu / reference.cpu;
  return { ratio, cpu, baseCpu: reference.cpu };
}

/** `rest`: waits for what goes on after the answers. */
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

/** Asked so seldom that the asking costs nothing beside the work. In milliseconds. */
const LOOK_EVERY = 50;

async function isDone(cell: D1Database, left: string): Promise<void> {
  while ((await cell.prepare(left).first("count")) !== 0) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
}

/** Tells the reference what the product does for each creation and for an event, and the upstream what to answer. */
async function prepareReference({ reference, bindings }: Runtime): Promise<RecordedEvent> {
  const tell = async (path: string, what: object) => {
    const response = await fetch(`http://127.0.0.1:${reference}/${path}`, { method: "POST", body: JSON.stringify(what) });
    if (response.status !== 200) throw new Error(`the reference answered ${response.status}: ${await response.text()}`);
  };
  for (const creation of creations) {
    const asking =
      ({ path, headers, body }: typeof creation) =>
      (token: string) =>
        new Request(`http://localhost${path}`, { method: "POST", headers, body: body(token) });
    await tell(`recordings/${recordingOf(creation)}`, await recordOperation(bindings, asking(creation)));
  }
  const event = await recordEvent(bindings, "charge.succeeded", "http://localhost");
  await tell(`recordings/${EVENT}`, event.recording);
  await tell("answers", event.answers);
  return event;
}
