import { expect } from "vitest";
import { events, movements, refreshes } from "../../src/db/schema/index.ts";
import { CART, call, cart, keys, LIST, PAYMENT } from "./api.ts";
import { SECOND } from "./later.ts";
import { control, world } from "./stack.ts";
import { fieldOf, rowOf, rowsOf } from "./tables.ts";
import { until } from "./until.ts";

/** The ids of what a payment made, as the sandbox gives them. */
export interface Paid {
  payment_intent: string;
  charge: string;
  balance_transaction: string;
  subscription?: string;
}

/** A line of a cart of acme's. */
export const line = (product: string, quantity = 1) => ({ stripe_product_id: `prod_acme${product}`, unit_amount: 1900, quantity });

/** A customer pays a new cart of acme's products, 19 dollars each. */
export async function pay(products: string[], how: object = {}): Promise<Paid> {
  const { body } = await call(CART, cart({ items: products.map((product) => line(product)) }));
  return control("/pay", { short_url: body.short_url, ...how });
}

/** The answer of operation 5. */
export async function listed(filter: object, key: string = keys.acme) {
  return (await call(LIST, filter, key)).body;
}

/** The answer of operation 6. */
export async function payment(payment_intent_id: string, key: string = keys.acme) {
  return (await call(PAYMENT, { payment_intent_id }, key)).body;
}

/** The stored row of a payment's movement. */
export const movementOf = (paid: { balance_transaction: string }) => rowOf(movements, { id: `processor:${paid.balance_transaction}` });

/** The bodies of the events that an inbox got, oldest first. */
export function receivedEvents(inbox: string): { event: string; [field: string]: any }[] {
  return (world.state.inboxes[inbox]?.received ?? []).map(({ body }) => JSON.parse(body));
}

/**
 * Waits until every stored event of the processor has been processed, or has failed. It does not wait for a subject of which the
 * next attempt is more than 15 seconds away: no message comes before that. The subject was early several times, or an earlier
 * test moved the clock.
 */
export async function quiet(): Promise<void> {
  await until(async () => {
    const due = await rowsOf(refreshes, { state: "due", last_error: null }, { columns: ["next_attempt_at"] });
    expect(due.filter(({ next_attempt_at }) => next_attempt_at < Date.now() + 15 * SECOND)).toEqual([]);
  });
}

/**
 * Waits until the event of a payment has reached its receiver, and gives its id. {@link quiet} does not wait for it: it is sent
 * over a queue, after the payment was processed.
 */
export async function delivered({ balance_transaction }: Pick<Paid, "balance_transaction">): Promise<string> {
  const cause = `payment.succeeded:processor:${balance_transaction}`;
  await until(async () => expect(await fieldOf(events, "state", { cause })).toBe("succeeded"));
  return (await fieldOf(events, "id", { cause })) as string;
}
