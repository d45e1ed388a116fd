import { freePorts } from "../local/ports.ts";
import { bundleWorker } from "./bundle.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { startAlone } from "./runtime.ts";
import { median } from "./sampling.ts";
import { openPool, requestText } from "./sockets.ts";

/** The minimal module with the product's bindings. */
const BARE = `
import { DurableObject } from "cloudflare:workers";
export class KeyActor extends DurableObject {}
export class CellSweeper extends DurableObject {}
export default { fetch: () => new Response(null, { status: 404 }) };
`;

/** CPU until the first answer, in milliseconds. */
export interface StartResults {
  readonly product: number | null;
  readonly bare: number | null;
  readonly above: number | null;
}

/**
 * The CPU time from the start of the Worker to its first answer, above a Worker with the same bindings that answers
 * 404.
 */
export async function measureStart(say: (progress: string) => void, rounds = 5): Promise<StartResults> {
  const bundle = await bundleWorker();
  const found: { readonly product: number; readonly bare: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const [bare, product] = [await startOf(BARE), await startOf(bundle)];
    if (bare !== null && product !== null) found.push({ bare, product });
    say(`start ${round} of ${rounds}`);
  }
  const of = (pick: (one: (typeof found)[number]) => number) => median(found.map(pick), 0);
  return { product: of(({ product }) => product), bare: of(({ bare }) => bare), above: of(({ product, bare }) => product - bare) };
}

async function startOf(bundle: string): Promise<number | null> {
  const [port = 0] = await freePorts(1);
  const worker = await startAlone(bundle, port);
  const pool = openPool(port, 1);
  try {
    await pool.run(1, () => requestText("GET", "/there-is-no-such-path"), 404);
    const cpu = runtimeCpuSeconds();
    return cpu === null ? null : cpu * 1_000;
  } finally {
    pool.close();
    await worker.close();
  }
}
