import { createTestHarness } from "wrangler";
import { loadFixtures } from "../sandbox/fixtures.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { connectCell, connectDirectory } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";

/** Acme's API key with all permissions. */
export const KEY = "a0000000-0000-4000-8000-000000000001";

export type BenchWorker = Awaited<ReturnType<typeof startWorker>>;

/** Starts a separate Worker with the fixtures in its database, without `wrangler dev`. */
export async function startWorker(processor: string) {
  const server = createTestHarness({
    workers: [
      {
        configPath: "./wrangler.toml",
        vars: { ...localVars({ edge: "http://localhost", processor, bank: processor }) },
        secrets: localSecrets,
      },
    ],
  });
  const { url } = await server.listen();
  const worker = server.getWorker<Bindings>();
  await worker.applyD1Migrations("DIRECTORY");
  await worker.applyD1Migrations("CELL_1");
  const { DIRECTORY, CELL_1, SNAPSHOTS } = await worker.getEnv();
  await loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, processor);

  const ask = async (path: string, init: RequestInit = {}, wanted = 200): Promise<string> => {
    const response = await fetch(`${url.origin}${path}`, { redirect: "manual", ...init });
    const body = await response.text();
    if (response.status !== wanted || body.includes('"success":false'))
      throw new Error(`${path} answered ${response.status}: ${body.slice(0, 200)}`);
    return body;
  };
  return {
    origin: url.origin,
    db: CELL_1,
    snapshots: SNAPSHOTS,
    ask,
    /** An operation of the second generation. */
    call: (operation: string, body: object) =>
      ask(`/${operation}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Partner-Api-Key": KEY },
        body: JSON.stringify(body),
      }),
    close: () => server.close(),
  };
}

/** The size of the database in bytes, as D1 reports. */
export async function sizeOf(db: D1Database): Promise<number> {
  return (await db.prepare("SELECT 1").run()).meta.size_after;
}
