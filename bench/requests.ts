import * as z from "zod";
import { freePorts } from "../local/ports.ts";
import { startSandbox } from "../local/sandbox-server.ts";
import { localSecrets } from "../sandbox/local-settings.ts";
import { loadPayments } from "./payments.ts";
import type { Workload } from "./sampling.ts";
import { type BenchWorker, KEY, sizeOf, startWorker } from "./worker.ts";

export interface RequestWorkload extends Workload {
  /** Whether the other requests are compared with this one. */
  readonly reference: boolean;
}

export interface Bench {
  readonly workloads: readonly RequestWorkload[];
  close(): Promise<void>;
}

/** Client metadata that an agent sends with each message. */
const AGENT = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Starts the Worker without `wrangler dev`, with the sandbox as its processor, and prepares the measured requests. */
export async function prepareBench(folder: string): Promise<Bench> {
  const [sandboxPort = 0] = await freePorts(1);
  const worker = await startWorker(`http://localhost:${sandboxPort}`);
  const { ask, call } = worker;
  const eventSecrets = { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST };
  const sandboxServer = await startSandbox({ port: sandboxPort, edge: worker.origin, stateFile: `${folder}/sandbox.json`, eventSecrets });

  const create = (client_token: string, lines: number) =>
    call("create-partner-processor-cart-payment-link", {
      items: Array.from({ length: lines }, (_, line) => ({
        stripe_product_id: `prod_acmeBulk${String(line + 1).padStart(2, "0")}`,
        unit_amount: 1000,
        quantity: 1,
      })),
      client_token,
    });
  const createRuble = (client_token: string, lines: number) =>
    call("create-partner-bank-cart-payment", {
      items: Array.from({ length: lines }, (_, line) => ({ product_id: 1101 + line, quantity: 1 })),
      customer_email: "buyer@example.com",
      environment: "test",
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
  const asAgent = (method: string, params: object, name?: string) =>
    ask("/mcp", {
      method: "POST",
      headers: {
        "X-Partner-Api-Key": KEY,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        ...(name === undefined ? {} : { "Mcp-Name": name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: AGENT } }),
    });
  const callTool = (name: string) => asAgent("tools/call", { name, arguments: {} }, name);
  console.log(
    `An order, from the cart to the event, takes ${await bytesOfOrder(worker, `http://localhost:${sandboxPort}`)} bytes of D1 here.`,
  );
  await create("replayed", 20);
  await createLink("replayed");
  await createRuble("replayed", 20);
  const before = await sizeOf(worker.db);
  await loadPayments(worker, 1000);
  console.log(`A payment with its objects takes ${Math.round(((await sizeOf(worker.db)) - before) / 1000)} bytes of D1.`);
  await ask("/01acmeLiveUsd1First", {}, 302);

  return {
    workloads: [
      { name: "GET /health", reference: true, requests: 800, send: () => ask("/health") },
      { name: "short link, KV knows it", reference: false, requests: 800, send: () => ask("/01acmeLiveUsd1First", {}, 302) },
      { name: "list payments", reference: false, requests: 400, send: () => call("list-partner-processor-transactions", {}) },
      { name: "list payments, as an agent", reference: false, requests: 400, send: () => callTool("list-partner-processor-transactions") },
      { name: "an agent finds the tools", reference: false, requests: 200, send: () => asAgent("tools/list", {}) },
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
      { name: "ruble payment of 20, repeated", reference: false, requests: 200, send: () => createRuble("replayed", 20) },
      { name: "ruble payment of 20, new", reference: false, requests: 100, send: () => createRuble(crypto.randomUUID(), 20) },
      { name: "ruble payment of 100, new", reference: false, requests: 50, send: () => createRuble(crypto.randomUUID(), 100) },
    ],
    async close() {
      await worker.close();
      await sandboxServer.close();
    },
  };
}

const ORDERS = 100;

/** Bytes that an order takes in the database. The sandbox's objects are smaller than the real processor's. */
async function bytesOfOrder(worker: BenchWorker, sandbox: string): Promise<number> {
  await worker.call("register-partner-notifications-webhook", { test_url: `${sandbox}/inbox/orders` });
  const before = await sizeOf(worker.db);
  for (let order = 0; order < ORDERS; order += 1) {
    const items = [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }];
    const answer = await worker.call("create-partner-processor-cart-payment-link", { items, client_token: crypto.randomUUID() });
    const { payment_link_id } = z.object({ payment_link_id: z.string() }).parse(JSON.parse(answer));
    const body = JSON.stringify({ payment_link_id, client_reference_id: `order-${order}` });
    await fetch(`${sandbox}/control/pay`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  }
  const delivered = worker.db.prepare("SELECT count(*) AS count FROM events WHERE state = 'succeeded'");
  while ((await delivered.first<number>("count")) !== ORDERS) await new Promise((resolve) => setTimeout(resolve, 100));
  return Math.round(((await sizeOf(worker.db)) - before) / ORDERS);
}
