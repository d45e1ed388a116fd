import { Miniflare } from "miniflare";
import { loadFixtures } from "../../sandbox/fixtures.ts";
import { connectCell, connectDirectory } from "../../src/db/client.ts";
import type { Bindings } from "../../src/env.ts";
import { freePorts } from "../local/ports.ts";
import { KEY } from "./bench-worker.ts";
import { bundleWorker } from "./bundle.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { cart } from "./creations.ts";
import { median } from "./sampling.ts";
import { openPool, requestText } from "./sockets.ts";
import { goingOn, migrateTo, productWorker, quiet, upstreamWorker } from "./worker-options.ts";

/** The minimal module with the product's bindings. */
const BARE = `
import { DurableObject } from "cloudflare:workers";
export class KeyActor extends DurableObject {}
export class CellSweeper extends DurableObject {}
export default { fetch: () => new Response(null, { status: 404 }) };
`;

/** A slug of the fixtures that KV has, and one that only D1 has. */
const IN_KV = "01acmeTestUsd1First";
const IN_D1 = "01acmeLiveUsd1First";

const JSON_WITH_KEY = { "Content-Type": "application/json", "X-Partner-Api-Key": KEY };
const creation = cart(1);

/** What the first request of an isolate may be, and the status of its answer. */
const FIRST_REQUESTS = [
  ["a short link that KV knows", requestText("GET", `/${IN_KV}`), 302],
  ["a short link that D1 alone has", requestText("GET", `/${IN_D1}`), 302],
  ["/health", requestText("GET", "/health"), 200],
  ["operation 5", requestText("POST", "/list-partner-processor-transactions", JSON_WITH_KEY, "{}"), 200],
  ["a cart link", requestText("POST", creation.path, creation.headers, creation.body("first")), 200],
] as const;

/** CPU from the start of the Worker to its first answer, in milliseconds; null where it cannot be measured. */
export interface StartResults {
  readonly name: string;
  readonly product: number | null;
  readonly bare: number | null;
  readonly above: number | null;
}

/**
 * The CPU time from the start of the Worker to its first answer, above a Worker with the same bindings and data that
 * answers 404: for each request that may be an isolate's first.
 */
export async function measureStart(say: (progress: string) => void, rounds = 5): Promise<StartResults[]> {
  const bundle = await bundleWorker();
  const results: StartResults[] = [];
  for (const [name, request, status] of FIRST_REQUESTS) {
    const found: { readonly product: number; readonly bare: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const [bare, product] = [await startOf(BARE, request, 404), await startOf(bundle, request, status)];
      if (bare !== null && product !== null) found.push({ bare, product });
    }
    say(`first ${name}`);
    const of = (pick: (one: (typeof found)[number]) => number) => median(found.map(pick), 0);
    results.push({ name, product: of(({ product }) => product), bare: of(({ bare }) => bare), above: of((one) => one.product - one.bare) });
  }
  return results;
}

async function startOf(bundle: string, request: string, status: number): Promise<number | null> {
  const [port = 0] = await freePorts(1);
  const runtime = new Miniflare({ ...quiet, workers: [productWorker(bundle, port), upstreamWorker()] });
  await runtime.ready;
  const pool = openPool(port, 1);
  try {
    await prepare(runtime);
    await pool.run(1, () => request, status);
    const cpu = runtimeCpuSeconds();
    return cpu === null ? null : cpu * 1_000;
  } finally {
    pool.close();
    await runtime.dispose();
  }
}

async function prepare(runtime: Miniflare): Promise<void> {
  const { DIRECTORY, CELL_1, SHORT_LINKS } = await runtime.getBindings<Bindings & { CELL_1: D1Database }>("product");
  await migrateTo("directory", DIRECTORY);
  await migrateTo("cell", CELL_1);
  await goingOn(() => loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, "https://checkout.example"));
  await SHORT_LINKS.put(IN_KV, "acme https://checkout.example/first");
}
