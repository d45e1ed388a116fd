import type { Books, Row } from "./books.ts";
import type { Owners } from "./owners.ts";
import type { Violation } from "./violation.ts";
import { type Thing, textOf, type World } from "./world.ts";

/** What an order must say. Amounts in minor units. */
interface Wanted {
  readonly id: string;
  readonly owner: string;
  readonly about: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const PAID_AT_BANK = ["CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"];

/** Every payment is one order of its partner, with the sums that the processor's and the bank's own objects come to. */
export function auditOrders(books: Books, { things }: World, owners: Owners): Violation[] {
  const wrong: Violation[] = [];
  const rows = Map.groupBy(books.rows("SELECT * FROM orders"), ({ id }) => String(id));
  for (const wanted of [...cardOrders(things, owners), ...bankOrders(things, owners)]) {
    wrong.push(...auditOrder(wanted, rows.get(wanted.id) ?? []));
    rows.delete(wanted.id);
  }
  for (const [id, [row]] of rows) {
    if (row !== undefined && row.charged !== 0)
      wrong.push({ promise: "every amount is right", what: `the order ${id} says that it was paid, and it was not`, about: id });
  }
  return wrong;
}

function auditOrder({ id, owner, about, fields }: Wanted, [row, ...more]: readonly Row[]): Violation[] {
  const add = (promise: string, what: string) => [{ promise, what, about }];
  if (row === undefined) return add("nothing is lost", `there is no order ${id}`);
  const faults = Object.entries(fields).flatMap(([field, value]) =>
    row[field] === value ? [] : add("every amount is right", `the order ${id}: ${field} must be ${String(value)}, and is ${row[field]}`),
  );
  if (more.length > 0) faults.push(...add("every amount is right", `there are ${more.length + 1} orders ${id}`));
  if (row.partner_id !== owner)
    faults.push(...add("no partner sees another's", `the order ${id} is ${owner}'s, and ${String(row.partner_id)} has it`));
  return faults;
}

const sumOf = (things: readonly Thing[], field: string) => things.reduce((sum, thing) => sum + Number(thing[field]), 0);

/** The orders of the payments that the processor has booked. */
function cardOrders(things: readonly Thing[], owners: Owners): Wanted[] {
  const of = (object: string) =>
    Map.groupBy(
      things.filter((thing) => thing.object === object),
      (thing) => textOf(thing, "payment_intent"),
    );
  const [charges, refunds, disputes] = [of("charge"), of("refund"), of("dispute")];
  const booked = Map.groupBy(
    things.filter(({ object }) => object === "balance_transaction"),
    (transaction) => owners.intentOf(transaction),
  );
  // A transaction of no payment is none of an order.
  booked.delete("");
  return [...booked].map(([id, transactions]): Wanted => {
    const isPaid = (charges.get(id) ?? []).filter(({ status }) => status === "succeeded");
    const charged = sumOf(isPaid, "amount");
    const refunded = sumOf(
      (refunds.get(id) ?? []).filter(({ status }) => status === "succeeded" || status === "pending"),
      "amount",
    );
    const disputed = sumOf(
      (disputes.get(id) ?? []).filter(({ status }) => status === "needs_response" || status === "lost"),
      "amount",
    );
    const fee = sumOf(transactions, "fee");
    const money = charged === 0 ? {} : { fee, net: sumOf(transactions, "amount") - fee };
    const environment = transactions[0]?.livemode === true ? "live" : "test";
    const status = charged === 0 ? {} : { status: disputed > 0 ? "disputed" : statusAfter(charged, refunded) };
    return { id, owner: owners.of(id), about: id, fields: { environment, charged, refunded, disputed, ...money, ...status } };
  });
}

/** The orders of the ruble payments that were paid. */
function bankOrders(things: readonly Thing[], owners: Owners): Wanted[] {
  return things
    .filter(({ object, status }) => object === "bank_payment" && PAID_AT_BANK.includes(String(status)))
    .map((payment): Wanted => {
      const [charged, refunded, id] = [Number(payment.amount), Number(payment.refunded), textOf(payment, "order_id")];
      const environment = payment.livemode === true ? "live" : "test";
      const fields = { environment, charged, refunded, disputed: 0, status: statusAfter(charged, refunded) };
      return { id, owner: owners.ofBankOrder(payment), about: id, fields };
    });
}

function statusAfter(charged: number, refunded: number): string {
  if (refunded === 0) return "paid";
  return refunded === charged ? "refunded" : "partly_refunded";
}
