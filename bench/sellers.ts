import type { Cells } from "./cells.ts";

/** The number of selling partners in each cell. */
const PARTNERS_IN_CELL = 2;

/** A partner that sells. */
export interface Seller {
  readonly key: string;
  readonly product: string;
}

/** Partners in each cell, created by operators' calls, each with a key, a product and a receiver. */
export async function makeSellers(runtime: Cells): Promise<Seller[]> {
  const operate = (path: string, body: object) =>
    ask(runtime.product, `/ops/${path}`, body, { Authorization: "Bearer ops-local", "X-Operator": "bench" });
  const sellers: Seller[] = [];
  for (let index = 0; index < PARTNERS_IN_CELL * runtime.cells.length; index += 1) {
    const id = `seller-${index}`;
    const cell = String((index % runtime.cells.length) + 1).padStart(2, "0");
    await operate("partners", { id, name: id, cell });
    const { key } = (await operate(`partners/${id}/keys`, { label: "bench", permissions: ["product_create", "webhook_config"] })) as Seller;
    const course = { kind: "card", environment: "test", name: "Course", type: "one_time", currency: "USD", unit_amount: 1_900 };
    const { id: added } = (await operate(`partners/${id}/products`, course)) as { id: string };
    const approved = await operate(`products/card/${added}/approve`, { first_link: false });
    const { processor_product_id: product } = (approved as { product: { processor_product_id: string } }).product;
    const receiver = { test_url: `https://receiver.example/inbox/${id}` };
    await ask(runtime.product, "/register-partner-notifications-webhook", receiver, { "X-Partner-Api-Key": key });
    sellers.push({ key, product });
  }
  return sellers;
}

/** A customer pays by a new link. */
export async function sell({ product: edge, sandbox }: Cells, { key, product }: Seller): Promise<void> {
  const cart = { items: [{ stripe_product_id: product, unit_amount: 1_900, quantity: 1 }], client_token: crypto.randomUUID() };
  const link = await ask(edge, "/create-partner-processor-cart-payment-link", cart, { "X-Partner-Api-Key": key });
  const { payment_link_id } = link as { payment_link_id: string };
  await ask(sandbox, "/control/pay", { payment_link_id });
}

/** An answer of the product or the sandbox. @throws if it is not a success */
export async function ask(
  port: number,
  path: string,
  body: object | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const init = body === null ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: { "Content-Type": "application/json", ...headers } });
  const text = await response.text();
  if (!response.ok || text.includes('"success":false')) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}
