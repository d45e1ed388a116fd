import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";
import { localSecrets, localVars } from "../../sandbox/local-settings.ts";
import { compatibility, deployedBindings, queueConsumers } from "../local/deployed-worker.ts";

/** The arguments with which system.ts starts this program, as one JSON text. */
export interface EdgeArguments {
  readonly bundle: string;
  /** The folder of databases, KV and R2. */
  readonly stores: string;
  readonly port: number;
  readonly sandbox: string;
  /** The planted defect; empty for none. */
  readonly broken: string;
  /** The number of cells. */
  readonly cells: number;
}

const { bundle, stores, port, sandbox, broken, cells } = JSON.parse(process.argv[2] ?? "{}") as EdgeArguments;
const vars = localVars({ edge: `http://localhost:${port}`, processor: sandbox, bank: sandbox });
const texts = Object.entries({ ...localSecrets, ...vars, BREAK: broken }).map(([name, value]) => [name, { type: "text", value }] as const);
const bound = deployedBindings("product", "assets", cells);
const moduleOf = (contents: string) => ({
  mainModule: "worker.js",
  modulesRoot: "/",
  modules: { "worker.js": { type: "esm" as const, contents } },
});

/**
 * The Worker on plain workerd, configured as in `wrangler.toml`. It is ready within a second, so it can be killed
 * often.
 */
const edge = new Miniflare({
  resourcePersistencePath: stores,
  handleStructuredLogs: ({ message }) => console.log(message),
  workers: [
    {
      config: {
        name: "product",
        ...compatibility,
        manifest: moduleOf(readFileSync(bundle, "utf8")),
        env: { ...Object.fromEntries(texts), ...bound.env },
        exports: bound.exports,
        triggers: queueConsumers(),
      },
      dev: { unsafeDirectSockets: [{ host: "localhost", port }] },
    },
    {
      config: {
        name: "assets",
        compatibilityDate: compatibility.compatibilityDate,
        manifest: moduleOf("export default { fetch: () => new Response(null, { status: 404 }) };"),
      },
    },
  ],
});
await edge.ready;
console.log("READY");
