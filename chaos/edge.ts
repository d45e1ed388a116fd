import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";
import { furtherCells } from "../local/further-cells.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { messagesAtOnce } from "../src/core/message-queue.ts";

/** How house.ts starts this program, which it kills: as JSON, its only argument. */
export interface EdgeArguments {
  readonly bundle: string;
  /** The folder of databases, KV and R2. */
  readonly stores: string;
  readonly port: number;
  readonly sandbox: string;
  /** The break that is built in; empty for none. */
  readonly broken: string;
  /** The ids that wrangler.toml gives the stores, by binding. */
  readonly ids: Readonly<Record<"DIRECTORY" | "CELL_1" | "SHORT_LINKS" | "SNAPSHOTS", string>>;
  /** How many cells there are. */
  readonly cells: number;
}

const { bundle, stores, port, sandbox, broken, ids, cells } = JSON.parse(process.argv[2] ?? "{}") as EdgeArguments;
const vars = localVars({ edge: `http://localhost:${port}`, processor: sandbox, bank: sandbox });
const texts = Object.entries({ ...localSecrets, ...vars, BREAK: broken }).map(([name, value]) => [name, { type: "text", value }] as const);
const queue = (name: keyof typeof messagesAtOnce) =>
  ({
    type: "queue",
    name,
    maxBatchSize: messagesAtOnce[name],
    maxBatchTimeout: 0,
    maxRetries: 3,
    deadLetterQueue: `${name}-dead`,
  }) as const;
const moduleOf = (contents: string) => ({
  mainModule: "worker.js",
  modulesRoot: "/",
  modules: { "worker.js": { type: "esm" as const, contents } },
});

/** The Worker on bare workerd, as `wrangler.toml` has it. It is ready in a second, so it can be killed often. */
const edge = new Miniflare({
  resourcePersistencePath: stores,
  handleStructuredLogs: ({ message }) => console.log(message),
  workers: [
    {
      config: {
        name: "product",
        compatibilityDate: "2026-10-15",
        compatibilityFlags: ["queue_consumer_no_wait_for_wait_until", "global_fetch_strictly_public"],
        manifest: moduleOf(readFileSync(bundle, "utf8")),
        env: {
          ...Object.fromEntries(texts),
          DIRECTORY: { type: "d1", id: ids.DIRECTORY },
          CELL_1: { type: "d1", id: ids.CELL_1 },
          ...Object.fromEntries(furtherCells(cells).map(({ binding, database_id: id }) => [binding, { type: "d1" as const, id }])),
          SHORT_LINKS: { type: "kv", id: ids.SHORT_LINKS },
          SNAPSHOTS: { type: "r2", name: ids.SNAPSHOTS },
          OPERATIONS: { type: "durable-object", worker: "product", exportName: "OperationObject" },
          CELL_SWEEPERS: { type: "durable-object", worker: "product", exportName: "CellSweeper" },
          DELIVERIES: { type: "queue", name: "deliveries" },
          PROCESSOR_EVENTS: { type: "queue", name: "processor-events" },
          ASSETS: { type: "worker", worker: "assets" },
        },
        exports: {
          OperationObject: { type: "durable-object", storage: "sqlite" },
          CellSweeper: { type: "durable-object", storage: "sqlite" },
        },
        triggers: [queue("deliveries"), queue("processor-events")],
      },
      dev: { unsafeDirectSockets: [{ host: "localhost", port }] },
    },
    {
      config: {
        name: "assets",
        compatibilityDate: "2026-10-15",
        manifest: moduleOf("export default { fetch: () => new Response(null, { status: 404 }) };"),
      },
    },
  ],
});
await edge.ready;
console.log("READY");
