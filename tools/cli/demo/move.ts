import * as z from "zod";
import { localSecrets } from "../../../sandbox/local-settings.ts";
import { expect, get, post, show, step } from "./steps.ts";

const PARTNER = "acme";
const TO = "02";
const MOVE_TIMEOUT = 120_000;
/** The poll interval: the cron continues the move too. In milliseconds. */
const ASK_EVERY = 1_000;

const cellsSchema = z.object({ data: z.array(z.object({ cell: z.string(), partners: z.int() })) });
const moveSchema = z.object({ phase: z.string(), rows_copied: z.int().nullable(), problem: z.string().nullable() });
const movesSchema = z.object({ data: z.array(z.object({ partner: z.string(), ...moveSchema.shape })) });
const linkSchema = z.object({ success: z.literal(true), short_url: z.string(), duplicate: z.boolean() });
const listSchema = z.object({ success: z.literal(true), transactions: z.array(z.object({ id: z.string() })) });
const paidSchema = z.object({ balance_transaction: z.string() });

interface Shop {
  readonly apiKey: string;
  /** A sent request, and its short link. */
  readonly cart: object;
  readonly shortUrl: string;
}

/** The last steps of a demo with several cells: a partner moves to another one and keeps all its data and its sales. */
export async function movePartner(edge: string, sandbox: string, { apiKey, cart, shortUrl }: Shop): Promise<void> {
  const asOperator = { Authorization: `Bearer ${localSecrets.OPS_TOKEN}` };
  const api = (operation: string, body: object) => post(`${edge}/${operation}`, body, { "X-Partner-Api-Key": apiKey });
  const partnersIn = async () => {
    const { data } = cellsSchema.parse(await get(`${edge}/ops/cells`, asOperator));
    return data.map(({ cell, partners }) => `${cell}: ${partners}`).join(", ");
  };

  step("The operator moves the partner to another cell while it sells", "operator", "edge");
  show(`partners by cell: ${await partnersIn()}`);
  const begun = moveSchema.parse(await post(`${edge}/ops/partners/${PARTNER}/move`, { to: TO }, asOperator));
  expect(begun.problem === null, `the move must have no problem, and has: ${begun.problem}`);
  const later = linkSchema.parse(await api("create-partner-processor-cart-payment-link", { ...cart, client_token: "demo-cart-2" }));
  show(`${later.short_url} was created during the move`);
  show(`${await moved(edge, asOperator)} rows were copied and compared; partners by cell: ${await partnersIn()}`);

  step(
    "The first request once more is still a duplicate, and a customer pays by the link created during the move",
    "customer",
    "edge",
    "partner",
  );
  const again = linkSchema.parse(await api("create-partner-processor-cart-payment-link", cart));
  expect(again.duplicate && again.short_url === shortUrl, "the repeat must answer with the first link");
  const order = { client_reference_id: "order-2042" };
  const paid = paidSchema.parse(await post(`${sandbox}/control/pay`, { short_url: later.short_url, ...order }));
  const id = `processor:${paid.balance_transaction}`;
  await until("the payment after the move", async () => {
    const list = listSchema.parse(await api("list-partner-processor-transactions", order));
    return list.transactions.some((one) => one.id === id);
  });
  const all = listSchema.parse(await api("list-partner-processor-transactions", {}));
  expect(all.transactions.length === 3, "the list must have the payment and its refund from before, and the payment from after");
  show(`${id} is in the list, with the payment and the refund from before`);
}

/** Waits until the data is in the new cell. Returns the number of copied rows. */
async function moved(edge: string, asOperator: Readonly<Record<string, string>>): Promise<number> {
  let rows = 0;
  await until(`the move of ${PARTNER}`, async () => {
    const { data } = movesSchema.parse(await get(`${edge}/ops/moves`, asOperator));
    const move = data.find(({ partner }) => partner === PARTNER);
    if (move?.phase === "copying" || move?.phase === "verifying")
      await post(`${edge}/ops/partners/${PARTNER}/move`, { to: TO }, asOperator);
    rows = move?.rows_copied ?? rows;
    return move === undefined || move.phase === "switched";
  });
  return rows;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + MOVE_TIMEOUT;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`${what} was not done within ${MOVE_TIMEOUT / 1000} seconds`);
    await new Promise((again) => setTimeout(again, ASK_EVERY));
  }
}
