import { createTestHarness } from "wrangler";
import { loadFixtures } from "../sandbox/fixtures.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { openDatabase } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";

/** The key of acme, which may do everything. */
export const KEY = "a0000000-0000-4000-8000-000000000001";

/** What a queue takes at once. */
const MOST_MESSAGES = 100;

export type BenchWorker = Awaited<ReturnType<typeof startWorker>>;

/** A Worker of its own with the fixtures in its database, without `wrangler dev` before it. */
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
  const worker = server.getWorker<{ DB: D1Database } & Bindings>();
  await worker.applyD1Migrations("DB");
  const { DB, DELIVERIES } = await worker.getEnv();
  await loadFixtures(openDatabase(DB), processor);

  const ask = async (path: string, init: RequestInit = {}, wanted = 200): Promise<string> => {
    const response = await fetch(`${url.origin}${path}`, { redirect: "manual", ...init });
    const body = await response.text();
    if (response.status !== wanted || body.includes('"success":false'))
      throw new Error(`${path} answered ${response.status}: ${body.slice(0, 200)}`);
    return body;
  };
  return {
    origin: url.origin,
    db: DB,
    ask,
    /** An operation of the second generation. */
    call: (operation: string, body: object) =>
      ask(`/${operation}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Partner-Api-Key": KEY },
        body: JSON.stringify(body),
      }),
    /** Has deliveries made, by the queue. */
    async wakeDeliveries(ids: readonly string[]) {
      for (let start = 0; start < ids.length; start += MOST_MESSAGES) {
        await DELIVERIES.sendBatch(ids.slice(start, start + MOST_MESSAGES).map((id) => ({ body: { id } })));
      }
    },
    close: () => server.close(),
  };
}

/** What the database takes, in bytes, as D1 says. */
export async function sizeOf(db: D1Database): Promise<number> {
  return (await db.prepare("SELECT 1").run()).meta.size_after;
}
