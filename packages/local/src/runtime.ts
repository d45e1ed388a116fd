import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { loadFixtures } from "../../../sandbox/fixtures.ts";
import { localSecrets, localVars } from "../../../sandbox/local-settings.ts";
import { connectCell, connectDirectory } from "../../../src/db/client.ts";
import type { Bindings } from "../../../src/env.ts";
import { migrate } from "../../../tools/local/migrate.ts";
import { compatibilityOf, deployedBindingsOf, queueConsumersOf, workerConfigSchema } from "../../../tools/local/worker-bindings.ts";
import { CLOCK_HEADER } from "./clock-header.ts";

/** The Worker of the service, as it is deployed, on this machine. */
export interface Runtime {
  /** Runs what the service does each minute. */
  runCron(): Promise<void>;
  /** Sets how far the service's clock is ahead of the machine's, in milliseconds. */
  setAdvanced(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

interface RuntimeOptions {
  /** The folder of this package: the Worker, its configuration, its migrations and its files. */
  readonly folder: string;
  readonly port: number;
  readonly edge: string;
  readonly sandbox: string;
  /** Where the databases are kept; null: nowhere. */
  readonly stateDir: string | null;
  /** Whether partners, keys and products to try things with are loaded into empty databases. */
  readonly fixtures: boolean;
  /** What the Worker logs, line by line. */
  readonly log: (line: string) => void;
}

const WORKER = "service";

/** Starts the Worker and prepares its databases. Rejects if the port is in use. */
export async function startRuntime({ folder, port, edge, sandbox, stateDir, fixtures, log }: RuntimeOptions): Promise<Runtime> {
  const config = workerConfigSchema.parse(JSON.parse(readFileSync(join(folder, "worker.json"), "utf8")));
  const secret = crypto.randomUUID();
  const settings = {
    ...localSecrets,
    ...localVars({ edge, processor: sandbox, bank: sandbox }),
    // A payment is looked up at its first event.
    EVENT_DEBOUNCE_MS: "0",
    LOCAL_CLOCK_SECRET: secret,
  };
  const bound = deployedBindingsOf(config, WORKER, { type: "assets" }, 1);
  const runtime = new Miniflare({
    host: "localhost",
    port,
    ...(stateDir === null ? {} : { resourcePersistencePath: stateDir }),
    handleStructuredLogs: ({ message }: { readonly message: string }) => log(message),
    workers: [
      {
        config: {
          ...compatibilityOf(config),
          name: WORKER,
          manifest: {
            mainModule: "worker.js",
            modulesRoot: "/",
            modules: { "worker.js": { type: "esm", contents: readFileSync(join(folder, "worker.js"), "utf8") } },
          },
          env: {
            ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, { type: "text" as const, value }])),
            ...bound.env,
          },
          exports: bound.exports,
          triggers: queueConsumersOf(config),
          assets: { directory: join(folder, "public"), hasUserWorker: true, runWorkerFirst: true },
        },
      },
    ],
  });
  try {
    await runtime.ready;
    const { DIRECTORY, CELL_1 } = await runtime.getBindings<Bindings & { CELL_1: D1Database }>(WORKER);
    await migrate(DIRECTORY, join(folder, "migrations", "directory"));
    await migrate(CELL_1, join(folder, "migrations", "cell"));
    if (fixtures) await loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, sandbox);
  } catch (thrown) {
    await runtime.dispose();
    throw thrown;
  }
  return {
    async runCron() {
      const worker = await runtime.getWorker(WORKER);
      await worker.scheduled({ cron: "* * * * *" });
    },
    async setAdvanced(milliseconds) {
      const answer = await fetch(`${edge}/?advanced=${milliseconds}`, { headers: { [CLOCK_HEADER]: secret } });
      if (!answer.ok) throw new Error(`the clock could not be set: ${answer.status}`);
    },
    close: () => runtime.dispose(),
  };
}
