import { Miniflare } from "miniflare";
import { freePorts } from "../local/ports.ts";
import { bundleWorker } from "./bundle.ts";
import { runtimeCpuSeconds } from "./cpu.ts";
import { FIRSTS, type First, fill, type Started } from "./first-work.ts";
import { startReceivers } from "./receivers.ts";
import { median } from "./sampling.ts";
import { dearestModules, type Evaluated } from "./start-profile.ts";
import { productWorker, silent, upstreamWorker } from "./worker-options.ts";

/** The code of a Worker. `receiver`: the origin where a delivery goes. */
type Code = (receiver: string) => string;

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
  /** CPU until the Worker is loaded, whatever comes first. */
  readonly load: number | null;
  readonly firsts: readonly FirstAnswer[];
}

interface FirstAnswer {
  readonly name: string;
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
  const bundle = await bundleWorker();
  const firsts: FirstAnswer[] = [];
  const loads: number[] = [];
  for (const first of FIRSTS) {
    const found: { readonly bare: Start; readonly product: Start }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const [bare, product] = [await startOf(BARE, first, true), await startOf(() => bundle, first, false)];
      if (bare !== null && product !== null) found.push({ bare, product });
    }
    loads.push(...found.map(({ bare, product }) => product.load - bare.load));
    firsts.push({
      name: first.name,
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
  return { load: median(loads, 0), firsts };
}

async function startOf(code: Code, first: First, isBare: boolean): Promise<Start | null> {
  const receivers = await startReceivers();
  const [port = 0] = await freePorts(1);
  const worker = productWorker(code(receivers.origin), port, { delivers: first.delivers });
  const runtime = new Miniflare({ ...silent, workers: [worker, upstreamWorker()] });
  try {
    await runtime.ready;
    const load = runtimeCpuSeconds();
    const bindings = await runtime.getBindings<Started["bindings"]>("product");
    await fill(bindings);
    const answer = await first.prepare({ port, bindings, receivers }, isBare);
    const [before, began] = [runtimeCpuSeconds(), performance.now()];
    await answer();
    const [after, wait] = [runtimeCpuSeconds(), performance.now() - began];
    if (load === null || before === null || after === null) return null;
    return { load: load * 1_000, answer: (after - before) * 1_000, wait };
  } finally {
    await runtime.dispose();
    receivers.close();
  }
}
