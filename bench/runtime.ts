import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { loadFixtures } from "../sandbox/fixtures.ts";
import { connectCell, connectDirectory } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";
import { storeBindings } from "../tools/local/deployed-worker.ts";
import { freePorts } from "../tools/local/ports.ts";
import { bundleLinks, bundleWorker, compiled, moduleOf } from "./bundle.ts";
import {
  consumed,
  goingOn,
  type Limits,
  linksWorker,
  migrateTo,
  productWorker,
  quiet,
  shared,
  socket,
  upstreamWorker,
} from "./worker-options.ts";

/** The deployable Workers and the reference, in one runtime and on the same stores, each on a socket of its own. */
export interface Runtime {
  readonly product: number;
  readonly reference: number;
  /** The Worker of the short links. */
  readonly links: number;
  readonly cell: D1Database;
  readonly directory: D1Database;
  readonly shortLinks: KVNamespace;
  /** The product's bindings, for work outside the runtime (`record-steps.ts`). */
  readonly bindings: Bindings;
  /** The size of the bundle, in bytes. */
  readonly size: { readonly raw: number; readonly compressed: number };
  /** Sends the reference a command or data. @throws if it fails */
  tellReference(path: string, what: object): Promise<void>;
  close(): Promise<void>;
}

interface RuntimeOptions {
  /**
   * The limits of the rate-limiting bindings per minute; without them, nothing is limited. In local development they
   * are a hundred times as high.
   */
  readonly limits?: Limits;
  /** The Worker's file; default: the deployed one. */
  readonly entry?: string;
  /** Whether events are delivered to receivers on this machine: then there is no processor and no bank. */
  readonly delivers?: boolean;
}

/** Bundles the Worker as a deployment does, and starts it on bare workerd: nothing stands between a socket and it. */
export async function startRuntime({ limits = {}, entry, delivers = false }: RuntimeOptions = {}): Promise<Runtime> {
  const [product = 0, reference = 0, links = 0] = await freePorts(3);
  const bundle = await bundleWorker(entry);
  const { INSPECTOR_PORT } = process.env;
  const runtime = new Miniflare({
    ...quiet,
    ...(INSPECTOR_PORT === undefined ? {} : { inspectorPort: Number(INSPECTOR_PORT) }),
    workers: [
      productWorker(bundle, product, { limits, delivers }),
      linksWorker(await bundleLinks(), links),
      {
        config: {
          ...shared,
          name: "reference",
          // Passes the batches of a queue to the product.
          compatibilityFlags: ["service_binding_extra_handlers"],
          manifest: moduleOf(compiled("reference.ts")),
          env: {
            ...storeBindings(1),
            KEYS: { type: "durable-object", worker: "reference", exportName: "ReferenceKey" },
            EVENTS: { type: "queue", name: "reference-events" },
            PRODUCT: { type: "worker", worker: "product" },
          },
          exports: { ReferenceKey: { type: "durable-object", storage: "sqlite" } },
          triggers: [consumed("reference-events")],
        },
        dev: socket(reference, delivers),
      },
      upstreamWorker(),
    ],
  });
  await runtime.ready;
  const bound = await runtime.getBindings<Bindings & { CELL_1: D1Database }>("product");
  const { DIRECTORY, CELL_1, SHORT_LINKS } = bound;
  const stocked = { directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) };
  await migrateTo("directory", DIRECTORY);
  await migrateTo("cell", CELL_1);
  await goingOn(() => loadFixtures(stocked, "https://checkout.example"));
  return {
    product,
    reference,
    links,
    cell: CELL_1,
    directory: DIRECTORY,
    shortLinks: SHORT_LINKS,
    bindings: bound,
    size: { raw: new TextEncoder().encode(bundle).byteLength, compressed: gzipSync(bundle, { level: 9 }).length },
    async tellReference(path, what) {
      const response = await fetch(`http://127.0.0.1:${reference}/${path}`, { method: "POST", body: JSON.stringify(what) });
      if (response.status !== 200) throw new Error(`the reference answered ${response.status}: ${await response.text()}`);
    },
    close: () => runtime.dispose(),
  };
}
