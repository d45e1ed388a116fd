import type { Books, Row } from "./books.ts";
import type { Violation } from "./violation.ts";
import { partOf, type Thing, textOf, type World } from "./world.ts";

/** Every movement of the processor's is in the ledger once, with its amount and its owner; and no other is. */
export function auditMoney(books: Books, { things }: World): Violation[] {
  const wrong: Violation[] = [];
  const owners = new Owners(things);
  const rows = Map.groupBy(books.rows("SELECT id, partner_id, amount, currency, payment_intent_id, environment FROM movements"), ({ id }) =>
    String(id),
  );
  const expected = things.filter(({ object, livemode }) => object === "balance_transaction" && livemode === false);
  for (const transaction of expected) {
    const id = `processor:${transaction.id}`;
    const found = rows.get(id) ?? [];
    rows.delete(id);
    wrong.push(...auditMovement(transaction, found, owners.of(transaction)));
  }
  for (const id of rows.keys())
    wrong.push({ promise: "every amount is right", what: `the ledger has ${id}, and the processor does not`, about: id });
  return [...wrong, ...auditSnapshots(books, expected, owners)];
}

function auditMovement(transaction: Thing, [row, ...more]: readonly Row[], owner: { partner: string; intent: string }): Violation[] {
  const { id, amount } = transaction;
  const about = owner.intent;
  if (row === undefined) return [{ promise: "nothing is lost", what: `the ledger does not have ${id}`, about }];
  const faults = [
    more.length > 0 ? `the ledger has ${id} ${more.length + 1} times` : null,
    row.amount === amount ? null : `${id} is ${String(amount)} at the processor, and ${row.amount} in the ledger`,
    row.currency === textOf(transaction, "currency").toUpperCase() ? null : `${id} has the currency ${row.currency}`,
  ].flatMap((what) => (what === null ? [] : [{ promise: "every amount is right", what, about }]));
  if (row.partner_id === owner.partner) return faults;
  return [
    ...faults,
    { promise: "nobody sees another's", what: `${id} is ${owner.partner}'s, and ${String(row.partner_id)} has it`, about },
  ];
}

/** The processor's own objects of a payment are kept for its partner to read. */
function auditSnapshots(books: Books, transactions: readonly Thing[], owners: Owners): Violation[] {
  const intents = new Set(transactions.map((transaction) => owners.of(transaction).intent).filter((intent) => intent !== ""));
  return [...intents]
    .filter((intent) => !books.snapshots.has(`test/${intent}`))
    .map((intent) => ({ promise: "nothing is lost", what: `there is no snapshot of ${intent}`, about: intent }));
}

/** Whose a movement is, by what the processor knows: the metadata of its payment, or of its subscription. */
class Owners {
  readonly #things: ReadonlyMap<string, Thing>;
  /** The subscription of each invoiced payment. */
  readonly #subscriptions = new Map<string, string>();

  constructor(things: readonly Thing[]) {
    this.#things = new Map(things.map((thing) => [thing.id, thing]));
    for (const paid of things.filter(({ object }) => object === "invoice_payment")) {
      const invoice = this.#things.get(textOf(paid, "invoice"));
      const subscription = textOf(partOf(partOf(invoice, "parent"), "subscription_details"), "subscription");
      this.#subscriptions.set(textOf(partOf(paid, "payment"), "payment_intent"), subscription);
    }
  }

  of(transaction: Thing): { readonly partner: string; readonly intent: string } {
    const source = this.#things.get(textOf(transaction, "source"));
    const charge = textOf(source, "charge") === "" ? source : this.#things.get(textOf(source, "charge"));
    const intent = textOf(source, "payment_intent") || textOf(charge, "payment_intent");
    const payment = this.#things.get(intent);
    const subscription = this.#things.get(this.#subscriptions.get(intent) ?? "");
    const named = [payment, subscription].map((thing) => textOf(partOf(thing, "metadata"), "partner_id")).find((name) => name !== "");
    return { partner: named ?? "", intent };
  }
}
