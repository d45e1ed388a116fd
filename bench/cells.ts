import { Miniflare } from "miniflare";
import type { Bindings } from "../src/env.ts";
import { furtherCells } from "../tools/local/further-cells.ts";
import { freePorts } from "../tools/local/ports.ts";
import { bundleAlone, bundleWorker, moduleOf } from "./bundle.ts";
import { consumed, consumesDeliveries, migrateTo, productWorker, quiet, shared } from "./worker-options.ts";

/** The product with several cells, and a sandbox that sends it the payments. */
export interface Cells {
  readonly product: number;
  readonly sandbox: number;
  readonly cells: readonly D1Database[];
  close(): Promise<void>;
}

/** Starts the Worker with this many cells, beside the sandbox as a Worker. */
export async function startCells(count: number): Promise<Cells> {
  const [product = 0, sandbox = 0] = await freePorts(2);
  const { config, dev } = productWorker(await bundleWorker("bench/capacity-worker.ts"), product, { cells: count });
  const runtime = new Miniflare({
    ...quiet,
    workers: [
      {
        config: {
          ...config,
          // As in a deployment.
          env: { ...config.env, EVENT_DEBOUNCE_MS: { type: "text", value: "1000" } },
          triggers: [consumed("processor-events"), consumesDeliveries],
        },
        dev,
      },
      {
        config: {
          ...shared,
          name: "upstream",
          manifest: moduleOf(await bundleAlone("bench/capacity-upstream.ts")),
          env: { PRODUCT: { type: "worker", worker: "product" } },
        },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: sandbox }] },
      },
    ],
  });
  await runtime.ready;
  const bound = await runtime.getBindings<Bindings & { readonly CELL_1: D1Database }>("product");
  const cells = [bound.CELL_1, ...furtherCells(count).flatMap(({ binding }) => bound[binding] ?? [])];
  await migrateTo("directory", bound.DIRECTORY);
  for (const cell of cells) await migrateTo("cell", cell);
  return { product, sandbox, cells, close: () => runtime.dispose() };
}
