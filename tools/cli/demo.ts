import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { MAX_LOCAL_CELLS } from "../local/further-cells.ts";
import { withTemporaryStack } from "../local/temporary-stack.ts";
import { readArguments, wholeNumber } from "./arguments.ts";
import { movePartner } from "./demo/move.ts";
import { expect, get, post, show, step } from "./demo/steps.ts";

const API_KEY = "a0000000-0000-4000-8000-000000000001";
const ORDER = "order-2041";
const EVENT_TIMEOUT = 120_000;

const registeredSchema = z.object({ success: z.literal(true), registered: z.array(z.object({ signing_secret: z.string() })).length(1) });
const linkSchema = z.object({
  success: z.literal(true),
  payment_link_id: z.string(),
  short_url: z.url(),
  line_item_count: z.literal(2),
  duplicate: z.boolean(),
});
const paidSchema = z.object({ payment_intent: z.string(), balance_transaction: z.string() });
const listSchema = z.object({
  success: z.literal(true),
  count: z.int(),
  transactions: z.array(
    z.object({ id: z.string(), amount: z.number(), currency: z.string(), status: z.string(), client_reference_id: z.string().nullable() }),
  ),
});
const paymentSchema = z.object({
  success: z.literal(true),
  payment: z.object({ amount: z.number(), status: z.string(), snapshot: z.object({ charge: z.object({}) }) }),
  related_movements: z.array(z.object({ amount: z.number(), status: z.string() })),
  count: z.int(),
});
const inboxSchema = z.array(z.object({ headers: z.record(z.string(), z.string()), body: z.string() }));
const objectsSchema = z.object({ count: z.int() });

const COMMAND_LINE = {
  name: "demo",
  help: `One order, from the cart to the signed event, on a temporary stack. With more than one cell, the partner's data moves from
the first one to the second at the end, and the partner sells on.`,
  options: {
    cells: {
      ...wholeNumber("cells", { describe: "How many databases the partners' data is spread over", min: 1, max: MAX_LOCAL_CELLS }),
      default: "1",
    },
  },
};

/** `npm run demo`: one order, from the cart to the signed event, on a temporary stack. 0 only if every step passed. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { cells } = read.options;
  console.log("Starting a temporary stack for this demo …");
  try {
    await withTemporaryStack("demo", ({ edge, sandbox }) => walk(edge, sandbox, cells), { cells });
    console.log("\nEvery step passed.");
    return 0;
  } catch (thrown) {
    console.error(`\nThe demo stopped: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return 1;
  }
}

async function walk(edge: string, sandbox: string, cells: number): Promise<void> {
  const api = (operation: string, body: object) => post(`${edge}/${operation}`, body, { "X-Partner-Api-Key": API_KEY });

  step("The partner registers a webhook", "partner", "edge");
  const registered = registeredSchema.parse(await api("register-partner-notifications-webhook", { test_url: `${sandbox}/inbox/acme` }));
  const secret = registered.registered[0]?.signing_secret ?? "";
  show(`signing secret ${secret.slice(0, 15)}…`);

  step("The partner makes one link for a cart of two products", "partner", "edge", "processor");
  const cart = {
    items: [
      { stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 },
      { stripe_product_id: "prod_acmeTestUsd2", unit_amount: 2900, quantity: 2 },
    ],
    client_token: "demo-cart-1",
  };
  const link = linkSchema.parse(await api("create-partner-processor-cart-payment-link", cart));
  show(`${link.payment_link_id} at ${link.short_url}`);

  step("The same request again is a duplicate and makes nothing", "partner", "edge");
  const again = linkSchema.parse(await api("create-partner-processor-cart-payment-link", cart));
  expect(again.duplicate && again.short_url === link.short_url, "the repeat must answer with the first link");
  const made = objectsSchema.parse(await get(`${sandbox}/control/objects?type=payment_links`));
  expect(made.count === 1, "the processor must hold one link");
  show("duplicate true, one link at the processor");

  step("A customer opens the short link", "customer", "edge", "checkout");
  const redirect = await fetch(`${link.short_url}?client_reference_id=${ORDER}`, { redirect: "manual" });
  const checkout = redirect.headers.get("Location") ?? "";
  expect(redirect.status === 302 && checkout.includes(ORDER), "the short link must lead to the checkout, with the order reference");
  expect((await fetch(checkout)).ok, "the checkout must open");
  show("302 to the checkout, order reference passed on");

  step("The customer pays; the balance transaction comes half a second later", "customer", "checkout", "processor", "edge");
  const payment = { short_url: link.short_url, client_reference_id: ORDER, balance_after_ms: 500 };
  const paid = paidSchema.parse(await post(`${sandbox}/control/pay`, payment));
  show(`${paid.payment_intent} paid`);

  step("The signed event reaches the partner", "edge", "partner");
  const delivery = await deliveryOf(sandbox, "Processor.payment.succeeded");
  expect(verifies(delivery, secret), "the event's signature must verify");
  show(`${delivery.headers["service-event-type"]} ${delivery.headers["service-event-id"]}, signature verified`);

  step("The payment is in the partner's list", "partner", "edge");
  const list = listSchema.parse(await api("list-partner-processor-transactions", { client_reference_id: ORDER }));
  const [movement] = list.transactions;
  expect(list.count === 1 && movement?.id === `processor:${paid.balance_transaction}`, "the list must hold the payment once");
  expect(movement?.amount === 77 && movement.currency === "USD" && movement.status === "completed", "it must be 77 USD, completed");
  show(`${movement.id}: ${movement.amount} ${movement.currency}, ${movement.status}, ${movement.client_reference_id}`);

  step("A part of it is refunded; the payment stays unchanged, and the refund is a separate movement", "processor", "edge", "partner");
  await post(`${sandbox}/control/refund`, { payment_intent: paid.payment_intent, amount: 2000 });
  expect(verifies(await deliveryOf(sandbox, "Processor.refund.succeeded"), secret), "the refund's event must verify too");
  const whole = paymentSchema.parse(await api("get-partner-processor-payment", { payment_intent_id: paid.payment_intent }));
  const [refund] = whole.related_movements;
  expect(whole.count === 2 && whole.payment.amount === 77 && whole.payment.status === "completed", "the payment must be unchanged");
  expect(refund?.amount === -20 && refund.status === "refunded", "the refund must be -20 USD");
  show(`${whole.payment.amount} ${whole.payment.status}, ${refund.amount} ${refund.status}`);

  if (cells > 1) await movePartner(edge, sandbox, { apiKey: API_KEY, cart, shortUrl: link.short_url });
}

type Delivery = z.infer<typeof inboxSchema>[number];

async function deliveryOf(sandbox: string, event: string): Promise<Delivery> {
  for (const giveUpAt = Date.now() + EVENT_TIMEOUT; Date.now() < giveUpAt; await new Promise((again) => setTimeout(again, 100))) {
    const inbox = inboxSchema.parse(await get(`${sandbox}/control/inbox/acme`));
    const delivery = inbox.find(({ headers }) => headers["service-event-type"] === event);
    if (delivery !== undefined) return delivery;
  }
  throw new Error(`no ${event} came within ${EVENT_TIMEOUT / 1000} seconds`);
}

/** Verifies like a receiver, following docs/webhooks.md, without this project's code. */
function verifies({ headers, body }: Delivery, secret: string): boolean {
  const message = `${headers["service-event-id"]}.${headers["service-timestamp"]}.${body}`;
  const wanted = bytes(`v1,${createHmac("sha256", secret).update(message).digest("hex")}`);
  const given = (headers["service-signature"] ?? "").split(" ").map(bytes);
  return given.some((value) => value.length === wanted.length && timingSafeEqual(value, wanted));
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
