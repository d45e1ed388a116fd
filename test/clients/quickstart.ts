/** The quickstart by a generated client. */
import {
  createPartnerProcessorCartPaymentLink,
  listPartnerProcessorTransactions,
  registerPartnerNotificationsWebhook,
} from "./generated/hey-api";
import { client } from "./generated/hey-api/client.gen";
import type { Order } from "./order";

/** Registers a receiver, sells a cart, and returns what was paid for it, in major units. */
export async function sell({ edge, key, receiver, pay, settled }: Order): Promise<readonly number[]> {
  client.setConfig({ baseUrl: edge, auth: () => key });
  const { data: registration } = await registerPartnerNotificationsWebhook({ body: { test_url: receiver } });
  if (registration?.success !== true) throw new Error(registration?.error_message);
  const { data: made } = await createPartnerProcessorCartPaymentLink({
    body: { items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }], client_token: crypto.randomUUID() },
  });
  if (made?.success !== true) throw new Error(made?.error_message);
  const reference = `order-${crypto.randomUUID()}`;
  await pay(`${made.short_url}?client_reference_id=${reference}`);
  await settled();
  const { data: paid } = await listPartnerProcessorTransactions({ body: { client_reference_id: reference, environment: "test" } });
  if (paid?.success !== true) throw new Error(paid?.error_message);
  return paid.transactions.map(({ amount }) => amount);
}
