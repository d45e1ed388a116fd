import { createTestHarness } from "wrangler";
import { freePorts } from "../cli/ports.ts";
import { startSandbox } from "../cli/sandbox-server.ts";
import { loadFixtures } from "../sandbox/fixtures.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { openDatabase } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";
import { loadPayments } from "./payments.ts";

export interface Workload {
  readonly name: string;
  /** What a request of this kind is compared with. */
  readonly reference: boolean;
  readonly requests: number;
  readonly send: () => Promise<void>;
}

export interface Bench {
  readonly workloads: readonly Workload[];
  close(): Promise<void>;
}

const KEY = "a0000000-0000-4000-8000-000000000001";

/** The Worker without `wrangler dev` before it, the sandbox as its processor, and the requests that are measured. */
export async function prepareBench(folder: string): Promise<Bench> {
  const [sandboxPort = 0] = await freePorts(1);
  const sandbox = `http://localhost:${sandboxPort}`;
  const edge = "http://localhost";
  const server = createTestHarness({
    workers: [{ configPath: "./wrangler.toml", vars: { ...localVars({ edge, processor: sandbox }) }, secrets: localSecrets }],
  });
  const { url } = await server.listen();
  const worker = server.getWorker<{ DB: D1Database } & Bindings>();
  await worker.applyD1Migrations("DB");
  await loadFixtures(openDatabase((await worker.getEnv()).DB), sandbox);
  const eventSecrets = { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST };
  const sandboxServer = await startSandbox({ port: sandboxPort, edge: url.origin, stateFile: `${folder}/sandbox.json`, eventSecrets });

  const ask = async (path: string, init: RequestInit = {}, wanted = 200) => {
    const response = await fetch(`${url.origin}${path}`, { redirect: "manual", ...init });
    const body = await response.text();
    if (response.status !== wanted || body.includes('"success":false'))
      throw new Error(`${path} answered ${response.status}: ${body.slice(0, 200)}`);
  };
  const call = (operation: string, body: object) =>
    ask(`/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": KEY },
      body: JSON.stringify(body),
    });
  const create = (client_token: string, lines: number) =>
    call("create-partner-processor-cart-payment-link", {
      items: Array.from({ length: lines }, (_, line) => ({
        stripe_product_id: `prod_acmeBulk${String(line + 1).padStart(2, "0")}`,
        unit_amount: 1000,
        quantity: 1,
      })),
      client_token,
    });
  const createV1 = (operation: string, body: object) =>
    ask(`/webhook/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ api_key: KEY, ...body }),
    });
  const createLink = (idempotency_key: string) =>
    createV1("payment-link-create", {
      auth_mode: "api_key",
      stripe_product_id: "prod_acmeTestUsd1",
      price: { unit_amount: 1900 },
      idempotency_key,
    });
  const createCode = (idempotency_key: string) =>
    createV1("promotion-code-create", {
      stripe_product_ids: ["prod_acmeTestUsd1"],
      code: idempotency_key,
      percent_off: 10,
      idempotency_key,
    });
  await create("replayed", 20);
  await createLink("replayed");
  await loadPayments(openDatabase((await worker.getEnv()).DB), 1000);
  await ask("/acmeLiveUsd1First", {}, 302);

  return {
    workloads: [
      { name: "GET /health", reference: true, requests: 800, send: () => ask("/health") },
      { name: "short link, KV knows it", reference: false, requests: 800, send: () => ask("/acmeLiveUsd1First", {}, 302) },
      { name: "list payments", reference: false, requests: 400, send: () => call("list-partner-processor-transactions", {}) },
      {
        name: "legacy objects, 1000 records",
        reference: false,
        requests: 20,
        send: () => createV1("get-processor-objects", { created: { gte: "2025-01-01", lte: "2025-12-31" } }),
      },
      { name: "first-generation link, repeated", reference: false, requests: 200, send: () => createLink("replayed") },
      { name: "first-generation link, new", reference: false, requests: 100, send: () => createLink(crypto.randomUUID()) },
      { name: "promotion code, new", reference: false, requests: 100, send: () => createCode(crypto.randomUUID()) },
      { name: "cart link of 20, repeated", reference: false, requests: 200, send: () => create("replayed", 20) },
      { name: "cart link of 1, new", reference: false, requests: 100, send: () => create(crypto.randomUUID(), 1) },
      { name: "cart link of 20, new", reference: false, requests: 100, send: () => create(crypto.randomUUID(), 20) },
    ],
    async close() {
      await server.close();
      await sandboxServer.close();
    },
  };
}
