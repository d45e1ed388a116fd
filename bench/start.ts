import { bundleLinks, bundleWorker, type Deployed } from "./bundle.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { FIRSTS, type First } from "./first-work.ts";
import { type Code, withFreshWorker } from "./fresh-worker.ts";
import { median } from "./sampling.ts";
import { dearestModules, type Evaluated } from "./start-profile.ts";

/** The minimal module with the product's bindings. Of a batch of deliveries it makes one unsigned request. */
const BARE: Code = (receiver) => `
import { DurableObject } from "cloudflare:workers";
export class KeyActor extends DurableObject {}
export class CellSweeper extends DurableObject {}
export default {
  fetch: () => new Response(null, { status: 404 }),
  queue: () => fetch("${receiver}/hook/0", { method: "POST", body: "{}" }),
};
`;

/** Milliseconds: CPU until the Worker is loaded, CPU and time from then to its first answer. */
interface Start {
  readonly load: number;
  readonly answer: number;
  readonly wait: number;
}

/** How much more than a bare Worker, in milliseconds. Null where /proc does not tell. */
export interface StartResults {
  /** CPU until each Worker is loaded, whatever comes first. */
  readonly load: Readonly<Record<Deployed, number | null>>;
  readonly firsts: readonly FirstAnswer[];
}

interface FirstAnswer {
  readonly name: string;
  readonly worker: Deployed;
  /** CPU from the load until the first answer. */
  readonly answer: number | null;
  /** The time until the answer of a loaded Worker, as it is. */
  readonly wait: number | null;
  /** The modules of which the evaluation takes longest until then. */
  readonly dearest: readonly Evaluated[];
}

const DEAREST = 5;

/**
 * What the start of the Worker and its first answer take above a Worker with the same bindings and data that does nothing:
 * for each kind of work that may be an isolate's first. What fills the stores in between does not count.
 */
export async function measureStart(say: (progress: string) => void, rounds = 5): Promise<StartResults> {
  const bundles = { product: await bundleWorker(), links: await bundleLinks() };
  const firsts: FirstAnswer[] = [];
  const loads: Record<Deployed, number[]> = { product: [], links: [] };
  for (const first of FIRSTS) {
    const found: { readonly bare: Start; readonly product: Start }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const startBare = () => startOf(BARE, first, true);
      const startProduct = () => startOf(() => bundles[first.worker], first, false);
      // They take turns in being first, so that neither has the quieter machine.
      const early = round % 2 === 1 ? await startBare() : await startProduct();
      const late = round % 2 === 1 ? await startProduct() : await startBare();
      const [bare, product] = round % 2 === 1 ? [early, late] : [late, early];
      if (bare !== null && product !== null) found.push({ bare, product });
    }
    loads[first.worker].push(...found.map(({ bare, product }) => product.load - bare.load));
    firsts.push({
      name: first.name,
      worker: first.worker,
      answer: median(
        found.map(({ bare, product }) => product.answer - bare.answer),
        0,
      ),
      wait: median(
        found.map(({ product }) => product.wait),
        0,
      ),
      dearest: await dearestModules(first, DEAREST),
    });
    say(`first ${first.name}`);
  }
  return { load: { product: median(loads.product, 0), links: median(loads.links, 0) }, firsts };
}

function startOf(code: Code, first: First, isBare: boolean): Promise<Start | null> {
  return withFreshWorker({ code, first, isBare }, async (answer, load) => {
    const [before, began] = [runtimeCpuSeconds(), performance.now()];
    await answer();
    const [after, wait] = [runtimeCpuSeconds(), performance.now() - began];
    if (load === null || before === null || after === null) return null;
    return { load: load * 1_000, answer: (after - before) * 1_000, wait };
  });
}
