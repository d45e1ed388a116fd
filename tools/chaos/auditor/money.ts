import type { Books, Row } from "./books.ts";
import type { Owners } from "./owners.ts";
import type { Violation } from "./violation.ts";
import { type Thing, textOf, type World } from "./world.ts";

/** Every movement at the processor is in the ledger once, with its amount and its owner, and there are no others. */
export function auditMoney(books: Books, { things }: World, owners: Owners): Violation[] {
  const wrong: Violation[] = [];
  const sql = "SELECT id, partner_id, amount, fee, currency, payment_intent_id, environment FROM movements";
  const rows = Map.groupBy(books.rows(sql), ({ id }) => String(id));
  const expected = things.filter(({ object }) => object === "balance_transaction");
  for (const transaction of expected) {
    const id = `processor:${transaction.id}`;
    wrong.push(...auditMovement(transaction, rows.get(id) ?? [], owners));
    rows.delete(id);
  }
  for (const id of rows.keys())
    wrong.push({ promise: "every amount is right", what: `the ledger has ${id}, and the processor does not`, about: id });
  return [...wrong, ...auditSnapshots(books, expected, owners), ...auditSubscriptions(books, things, owners)];
}

function auditMovement(transaction: Thing, [row, ...more]: readonly Row[], owners: Owners): Violation[] {
  const { id } = transaction;
  const intent = owners.intentOf(transaction);
  const partner = owners.ofMovement(transaction);
  const add = (promise: string, what: string) => [{ promise, what, about: intent }];
  if (row === undefined) return add("nothing is lost", `the ledger does not have ${id}`);
  const wanted = {
    amount: transaction.amount,
    fee: transaction.fee,
    currency: textOf(transaction, "currency").toUpperCase(),
    payment_intent_id: intent,
    environment: transaction.livemode === true ? "live" : "test",
  };
  const faults = Object.entries(wanted).flatMap(([field, value]) =>
    row[field] === value
      ? []
      : add("every amount is right", `${id}: ${field} is ${String(value)} at the processor, and ${row[field]} in the ledger`),
  );
  if (more.length > 0) faults.push(...add("every amount is right", `the ledger has ${id} ${more.length + 1} times`));
  if (row.partner_id !== partner)
    faults.push(...add("no partner sees another's", `${id} is ${partner}'s, and ${String(row.partner_id)} has it`));
  return faults;
}

/** The processor's objects of a payment are stored for its partner. */
function auditSnapshots(books: Books, transactions: readonly Thing[], owners: Owners): Violation[] {
  const kept = books.snapshots();
  const environments = new Map(transactions.map((one) => [owners.intentOf(one), one.livemode === true ? "live" : "test"]));
  return [...environments]
    .filter(([intent, environment]) => intent !== "" && !kept.has(`${environment}/${intent}`))
    .map(([intent]) => ({ promise: "nothing is lost", what: `there is no snapshot of ${intent}`, about: intent }));
}

/** Every subscription is stored here, in the processor's state, with its partner. */
function auditSubscriptions(books: Books, things: readonly Thing[], owners: Owners): Violation[] {
  const rows = new Map(books.rows("SELECT id, partner_id, status FROM subscriptions").map((row) => [String(row.id), row]));
  return things
    .filter(({ object }) => object === "subscription")
    .flatMap(({ id, status }) => {
      const row = rows.get(id);
      if (row === undefined) return [{ promise: "nothing is lost", what: `the subscription ${id} is not known here`, about: id }];
      if (row.partner_id !== owners.of(id))
        return [
          { promise: "no partner sees another's", what: `${id} is ${owners.of(id)}'s, and ${String(row.partner_id)} has it`, about: id },
        ];
      return row.status === status
        ? []
        : [{ promise: "nothing is lost", what: `${id} is ${String(status)}, and ${row.status} here`, about: id }];
    });
}
