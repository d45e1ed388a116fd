import { loadFixtures } from "../sandbox/fixtures.ts";
import { connectCell, connectDirectory } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";
import { KEY } from "./bench-worker.ts";
import type { Deployed } from "./bundle.ts";
import { cart } from "./creations.ts";
import { CELL, recordEvents, register } from "./delivery-stock.ts";
import type { Receivers } from "./receivers.ts";
import { eventRequest } from "./record-requests.ts";
import { openPool, requestText } from "./sockets.ts";
import { goingOn, migrateTo } from "./worker-options.ts";

/** A slug of the fixtures that KV has, and one that only D1 has. */
const IN_KV = "01acmeTestUsd1First";
const IN_D1 = "01acmeLiveUsd1First";

const JSON_WITH_KEY = { "Content-Type": "application/json", "X-Partner-Api-Key": KEY };
const creation = cart(1);

const charge = { id: "ch_first", object: "charge", livemode: false, payment_intent: "pi_first", metadata: { partner_id: "acme" } };
const EVENT = JSON.stringify({ id: "evt_first", object: "event", type: "charge.succeeded", livemode: false, data: { object: charge } });

/** A started Worker. */
export interface Started {
  readonly port: number;
  readonly bindings: Bindings & { readonly CELL_1: D1Database };
  readonly receivers: Receivers;
}

/** Work that may be an isolate's first. `prepare` stores what it needs; the result does it, until its answer has come. */
export interface First {
  readonly name: string;
  /** The Worker that does it. */
  readonly worker: Deployed;
  /** Whether the Worker has to reach receivers on this machine. */
  readonly delivers: boolean;
  prepare(started: Started, isBare: boolean): Promise<() => Promise<void>>;
}

function request(name: string, text: () => string, status: number, worker: Deployed = "product"): First {
  return {
    name,
    worker,
    delivers: false,
    async prepare({ port }, isBare) {
      const pool = openPool(port, 1);
      return async () => {
        await pool.run(1, text, isBare ? 404 : status);
        pool.close();
      };
    },
  };
}

/** Only a delivery that failed takes longer. In milliseconds. */
const LONGEST_DELIVERY = 30_000;

const delivery: First = {
  name: "a delivery",
  worker: "product",
  delivers: true,
  async prepare({ bindings, receivers }) {
    const runtime = { directory: bindings.DIRECTORY, cell: bindings.CELL_1 };
    const [id = ""] = await recordEvents(runtime, await register(runtime, receivers.origin, "first", () => false), 1);
    return async () => {
      await bindings.DELIVERIES.sendBatch([{ body: { databaseName: CELL, id } }]);
      const began = performance.now();
      while (receivers.taken() === 0) {
        if (performance.now() - began > LONGEST_DELIVERY) throw new Error("nothing was delivered");
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
  },
};

export const FIRSTS: readonly First[] = [
  request("a short link that KV knows", () => requestText("GET", `/${IN_KV}`), 302, "links"),
  request("a short link that D1 alone has", () => requestText("GET", `/${IN_D1}`), 302, "links"),
  request("/health", () => requestText("GET", "/health"), 200),
  request("operation 5", () => requestText("POST", "/list-partner-processor-transactions", JSON_WITH_KEY, "{}"), 200),
  request("a cart link", () => requestText("POST", creation.path, creation.headers, creation.body("first")), 200),
  request("an event of the processor", () => eventRequest(EVENT), 200),
  delivery,
];

/** Migrates the databases, and stores the fixtures and the short link that KV knows. */
export async function fill({ DIRECTORY, CELL_1, SHORT_LINKS }: Started["bindings"]): Promise<void> {
  await migrateTo("directory", DIRECTORY);
  await migrateTo("cell", CELL_1);
  await goingOn(() => loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, "https://checkout.example"));
  await SHORT_LINKS.put(IN_KV, "acme https://checkout.example/first");
}
