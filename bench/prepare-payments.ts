import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { localSecrets } from "../sandbox/local-settings.ts";
import { startSandbox } from "../tools/local/sandbox-server.ts";
import type { BenchWorker } from "./bench-worker.ts";

const linkSchema = z.object({ payment_link_id: z.string() });
const paidSchema = z.object({ payment_intent: z.string() });

export interface Recording {
  /** Creates a new payment at the sandbox and has the Worker record it: looked up, and stored with its event. */
  record(): Promise<void>;
  close(): Promise<void>;
}

/** A sandbox at this port. The Worker records its payments one at a time, because events are held back. */
export async function prepareRecording(worker: BenchWorker, port: number): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), "partner-payments-bench-"));
  const server = await startSandbox({ port, edge: worker.origin, stateFile: join(folder, "sandbox.json") });
  const control = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`http://localhost:${port}/control${path}`, { method: "POST", body: JSON.stringify(body) });
    return response.json();
  };
  await control("/events", { environment: "test", hold: true });
  const items = [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }];
  const link = linkSchema.parse(
    JSON.parse(await worker.call("create-partner-processor-cart-payment-link", { items, client_token: "bench" })),
  );
  return {
    async record() {
      const { payment_intent: id } = paidSchema.parse(await control("/pay", link));
      await worker.ask("/ops/ledger/refresh", {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${localSecrets.OPS_TOKEN}` },
        body: JSON.stringify({ environment: "test", id }),
      });
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
