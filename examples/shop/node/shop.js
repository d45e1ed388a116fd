import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createClient, SignatureError, verifyEvent } from "ppay-sdk";

const PAGE = `<!doctype html><title>Shop</title><h1>A book for $19</h1>
<form method="post" action="/orders"><button>Buy</button></form>`;

/**
 * A shop that sells one product. `payments` is a client of the service, `secrets` are the signing secrets of its webhook, `clock` says
 * the time: another one where a test advances it.
 */
export function createShop({ payments, secrets, product, clock = Date.now }) {
  const orders = new Map();
  const seen = new Set();

  /** The customer wants to buy: the order is stored first, and its number makes a repeat safe. */
  async function buy() {
    const order = { id: `order-${randomUUID()}`, state: "new", paid: 0, refunded: 0 };
    orders.set(order.id, order);
    const link = await payments.links.createForCart({
      items: [{ stripe_product_id: product, unit_amount: 1900, quantity: 1 }],
      client_token: order.id,
    });
    return `${link.short_url}?client_reference_id=${order.id}`;
  }

  /** What an event changes. An event that was processed before changes nothing. */
  function apply(event) {
    if (seen.has(event.id)) return;
    seen.add(event.id);
    if (!("transaction" in event)) return;
    const order = orders.get(event.transaction.client_reference_id);
    if (order === undefined) return;
    if (event.event === "Processor.payment.succeeded") {
      order.state = "paid";
      order.paid += 1;
    }
    if (event.event === "Processor.refund.succeeded") {
      order.state = "refunded";
      order.refunded += event.transaction.amount;
    }
  }

  async function answer(request, response) {
    const { pathname } = new URL(request.url, "http://shop");
    if (request.method === "GET" && pathname === "/") return response.setHeader("Content-Type", "text/html").end(PAGE);
    if (request.method === "POST" && pathname === "/orders") return response.writeHead(303, { Location: await buy() }).end();
    if (request.method === "GET" && pathname.startsWith("/orders/")) {
      const order = orders.get(pathname.slice("/orders/".length));
      return response.writeHead(order === undefined ? 404 : 200).end(JSON.stringify(order ?? null));
    }
    if (request.method === "POST" && pathname === "/webhook") {
      const parts = [];
      for await (const part of request) parts.push(part);
      apply(await verifyEvent(Buffer.concat(parts), request.headers, secrets(), { now: clock() }));
      return response.writeHead(204).end();
    }
    return response.writeHead(404).end();
  }

  return createServer((request, response) => {
    answer(request, response).catch((error) => {
      // We are asked again after an answer of 5xx, and not after a delivery that is not the service's.
      response.writeHead(error instanceof SignatureError ? 400 : 500).end();
      if (!(error instanceof SignatureError)) console.error(error);
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { PAYMENTS_URL, PAYMENTS_KEY, SIGNING_SECRET, PRODUCT, PORT = "3000" } = process.env;
  const payments = createClient({ url: PAYMENTS_URL, key: PAYMENTS_KEY });
  createShop({ payments, secrets: () => [SIGNING_SECRET], product: PRODUCT }).listen(Number(PORT), () =>
    console.log(`The shop is at http://localhost:${PORT}`),
  );
}
