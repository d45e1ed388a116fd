import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { migrate } from "../local/migrate.ts";
import { freePorts } from "../local/ports.ts";
import { root, runTool } from "../local/processes.ts";
import { loadFixtures } from "../sandbox/fixtures.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { connectCell, connectDirectory } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";

/** The deployable Worker and the reference, in one runtime and on the same stores, each on a socket of its own. */
export interface Runtime {
  readonly product: number;
  readonly reference: number;
  readonly cell: D1Database;
  readonly directory: D1Database;
  readonly shortLinks: KVNamespace;
  /** What the product is bound to, for who does its work outside of the runtime (`record.ts`). */
  readonly bindings: Bindings;
  /** Of the bundle, in bytes. */
  readonly size: { readonly raw: number; readonly compressed: number };
  close(): Promise<void>;
}

const COMPATIBILITY_DATE = "2026-10-15";

const stores = {
  DIRECTORY: { type: "d1", id: "directory" },
  CELL_1: { type: "d1", id: "cell" },
  SHORT_LINKS: { type: "kv", id: "links" },
  SNAPSHOTS: { type: "r2", name: "snapshots" },
} as const;

const shared = { compatibilityDate: COMPATIBILITY_DATE };

type WorkerOptions = Extract<ConstructorParameters<typeof Miniflare>[0], { workers: unknown }>["workers"][number];
const settings = {
  ...localSecrets,
  ...localVars({ edge: "http://localhost", processor: "https://processor.example", bank: "https://bank.example" }),
  // A payment is looked up at its first event.
  GATHER_EVENTS_FOR_MS: "0",
};

const consumed = (name: string) => ({ type: "queue", name, maxBatchSize: 10, maxBatchTimeout: 0 }) as const;

type Limits = Readonly<Record<string, number>>;

/** A Worker with everything that the product is bound to, on a socket of its own. `limits`: of its rate-limiting bindings. */
function productWorker(bundle: string, port: number, limits: Limits = {}): WorkerOptions {
  const texts = Object.entries(settings).map(([name, value]) => [name, { type: "text", value }] as const);
  const counters = Object.entries(limits).map(
    ([name, limit]) => [name, { type: "rate-limit", namespace: name, simple: { limit, period: 60 } }] as const,
  );
  return {
    config: {
      ...shared,
      name: "product",
      compatibilityFlags: ["queue_consumer_no_wait_for_wait_until", "global_fetch_strictly_public"],
      manifest: moduleOf(bundle),
      env: {
        ...Object.fromEntries(texts),
        ...stores,
        ...Object.fromEntries(counters),
        OPERATIONS: { type: "durable-object", worker: "product", exportName: "OperationObject" },
        CELL_SWEEPERS: { type: "durable-object", worker: "product", exportName: "CellSweeper" },
        DELIVERIES: { type: "queue", name: "deliveries" },
        PROCESSOR_EVENTS: { type: "queue", name: "processor-events" },
        ASSETS: { type: "worker", worker: "upstream" },
      },
      exports: {
        OperationObject: { type: "durable-object", storage: "sqlite" },
        CellSweeper: { type: "durable-object", storage: "sqlite" },
      },
      triggers: [consumed("processor-events")],
    },
    dev: socket(port),
  };
}

const upstreamWorker = () => ({ config: { ...shared, name: "upstream", manifest: moduleOf(compiled("upstream.ts")) } });

/** Starts a Worker alone, without migrations and reference. */
export async function startAlone(bundle: string, port: number): Promise<{ close(): Promise<void> }> {
  const runtime = new Miniflare({ workers: [productWorker(bundle, port), upstreamWorker()] });
  await runtime.ready;
  return { close: () => runtime.dispose() };
}

/**
 * Does what goes on where it was cut off. The runtime closes a connection that was idle for five seconds, which on a busy
 * machine may pass between two calls: what is sent at that moment fails, and has done nothing.
 */
async function goingOn(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!wasClosed(thrown)) throw thrown;
    await goingOn(work);
  }
}

function wasClosed(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.cause instanceof Error && "code" in thrown.cause && thrown.cause.code === "UND_ERR_SOCKET";
}

interface RuntimeOptions {
  /** Of the rate-limiting bindings, in a minute; without, nothing is limited. In local development they are a hundred times as high. */
  readonly limits?: Limits;
  /** The file of the Worker; without, the one that is deployed. */
  readonly entry?: string;
}

/** Bundles the Worker as a deployment does, and starts it on bare workerd: nothing stands between a socket and it. */
export async function startRuntime({ limits = {}, entry }: RuntimeOptions = {}): Promise<Runtime> {
  const [product = 0, reference = 0] = await freePorts(2);
  const bundle = await bundleWorker(entry);
  const runtime = new Miniflare({
    workers: [
      productWorker(bundle, product, limits),
      {
        config: {
          ...shared,
          name: "reference",
          manifest: moduleOf(compiled("reference.ts")),
          env: {
            ...stores,
            KEYS: { type: "durable-object", worker: "reference", exportName: "ReferenceKey" },
            EVENTS: { type: "queue", name: "reference-events" },
          },
          exports: { ReferenceKey: { type: "durable-object", storage: "sqlite" } },
          triggers: [consumed("reference-events")],
        },
        dev: socket(reference),
      },
      upstreamWorker(),
    ],
  });
  await runtime.ready;
  const bound = await runtime.getBindings<Bindings & { CELL_1: D1Database }>("product");
  const { DIRECTORY, CELL_1, SHORT_LINKS } = bound;
  const stocked = { directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) };
  await goingOn(() => migrate(DIRECTORY, join(root, "migrations", "directory")));
  await goingOn(() => migrate(CELL_1, join(root, "migrations", "cell")));
  await goingOn(() => loadFixtures(stocked, "https://checkout.example"));
  return {
    product,
    reference,
    cell: CELL_1,
    directory: DIRECTORY,
    shortLinks: SHORT_LINKS,
    bindings: bound,
    size: { raw: new TextEncoder().encode(bundle).byteLength, compressed: gzipSync(bundle, { level: 9 }).length },
    close: () => runtime.dispose(),
  };
}

/** A socket of its own; what the Worker fetches is answered by the upstream. */
const socket = (port: number) => ({
  unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  outboundService: { type: "worker", worker: "upstream" } as const,
});

const moduleOf = (contents: string) => ({
  mainModule: "worker.js",
  modulesRoot: "/",
  modules: { "worker.js": { type: "esm" as const, contents } },
});

/** A module of this folder without its types. */
function compiled(file: string): string {
  return stripTypeScriptTypes(readFileSync(join(root, "bench", file), "utf8"));
}

/** A Worker as a deployment bundles it. */
export async function bundleWorker(entry = "src/worker.ts"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "partner-payments-bundle-"));
  try {
    const code = await runTool("wrangler", ["deploy", entry, "--dry-run", "--outdir", folder], { quiet: true });
    if (code !== 0) throw new Error("the Worker could not be bundled");
    return readFileSync(join(folder, basename(entry).replace(/\.ts$/, ".js")), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
