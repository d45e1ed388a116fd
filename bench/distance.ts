import { KEY } from "./bench-worker.ts";
import { type Creation, cart, link, promotionCode, rublePayment } from "./creations.ts";
import { generateMovements } from "./movements.ts";
import { startRuntime } from "./runtime.ts";
import { median } from "./sampling.ts";
import { openPool, type Pool, requestText } from "./sockets.ts";

/** Round-trip times to the databases in milliseconds: a neighbour, another continent, the other side of the world. */
export const DISTANCES = [2, 40, 150] as const;

const SAMPLES = 11;

export interface Distant {
  readonly name: string;
  /** Median answer times in milliseconds: without distance, then at each of {@link DISTANCES}. */
  readonly times: readonly number[];
  /** The number of sequential round trips, from the longest distance. */
  readonly trips: number;
}

interface Asked {
  readonly name: string;
  readonly status: number;
  readonly request: () => string;
}

/** How long a partner waits for each operation, by the distance to the databases. */
export async function measureDistance(say: (progress: string) => void, samples = SAMPLES): Promise<Distant[]> {
  const runtime = await startRuntime({ entry: "bench/distant-worker.ts" });
  const pool = openPool(runtime.product, 1);
  try {
    await generateMovements(runtime.cell, 1_000);
    await runtime.shortLinks.put(SLUG, `acme https://checkout.example/${SLUG}`);
    const asked = operations();
    const times = new Map(asked.map(({ name }) => [name, [] as number[]]));
    for (const distance of [0, ...DISTANCES]) {
      await pool.run(1, () => requestText("GET", `/bench/distance?ms=${distance}`), 200);
      for (const one of asked) times.get(one.name)?.push(await timeOf(pool, one, samples));
      say(`${distance} ms done`);
    }
    const farthest = DISTANCES.at(-1) ?? 0;
    return asked.map(({ name }) => {
      const found = times.get(name) ?? [];
      return { name, times: found, trips: Math.max(0, Math.round(((found.at(-1) ?? 0) - (found[0] ?? 0)) / farthest)) };
    });
  } finally {
    pool.close();
    await runtime.close();
  }
}

/** The first answers come from an isolate that has not seen the key, and do not count. */
async function timeOf(pool: Pool, { request, status }: Asked, samples: number): Promise<number> {
  await pool.times(2, request, status);
  return median(await pool.times(samples, request, status), 1) ?? 0;
}

const SLUG = "01Bench0000000";

function operations(): Asked[] {
  return [
    ...[cart(1), rublePayment, link, promotionCode].flatMap((creation) => [
      created(creation, "new", () => crypto.randomUUID()),
      created(creation, "repeated", () => "distance-again"),
    ]),
    query("list of payments (5)", "list-partner-processor-transactions", { limit: 20 }),
    query("live links (7)", "list-partner-live-processor-payment-links", {}),
    { name: "short link", status: 302, request: () => requestText("GET", `/${SLUG}`) },
  ];
}

function query(name: string, path: string, body: object): Asked {
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": KEY };
  return { name, status: 200, request: () => requestText("POST", `/${path}`, headers, JSON.stringify(body)) };
}

function created({ name, path, headers, body }: Creation, how: string, token: () => string): Asked {
  return { name: `${name}, ${how}`, status: 200, request: () => requestText("POST", path, headers, body(token())) };
}
