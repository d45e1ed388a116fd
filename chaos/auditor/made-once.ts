import type { Books } from "./books.ts";
import type { Violation } from "./violation.ts";
import { type KnownOrder, partOf, type Thing, textOf, type World } from "./world.ts";

const PROMISE = "every object is made once";

/** Each order has one object at most, every answer names it, and the service knows every object that can be used. */
export function auditObjects(books: Books, { things, orders }: World): Violation[] {
  const wrong: Violation[] = [];
  const add = (what: string, about: string) => void wrong.push({ promise: PROMISE, what, about });
  for (const { token, made } of orders) if (new Set(made).size > 1) add(`answers name ${made.length} objects: ${made.join(", ")}`, token);

  const known = new Map(
    books
      .rows("SELECT id, partner_id FROM payment_links UNION ALL SELECT id, partner_id FROM promotion_codes")
      .map((row) => [row.id, row.partner_id]),
  );
  const links = things.filter(({ object, active }) => (object === "payment_link" || object === "promotion_code") && active === true);
  const byRecord = Map.groupBy(links, (thing) => textOf(partOf(thing, "metadata"), "record_id"));
  for (const [record, made] of byRecord) {
    if (record !== "" && made.length > 1) add(`one record has ${made.map(({ id }) => id).join(", ")}, all usable`, made[0]?.id ?? record);
  }
  for (const { id, metadata, object } of links) {
    const partner = textOf(metadata as Thing, "partner_id");
    if (!known.has(id)) add(`the ${object} ${id} can be used, and the service does not know it`, id);
    else if (known.get(id) !== partner) add(`${id} is of ${partner} at the processor, and of ${known.get(id)} here`, id);
  }
  for (const order of orders) wrong.push(...ownerOf(order, known));
  return [...wrong, ...auditBank(books, things)];
}

/** What was answered to a partner is there, and is its own. */
function ownerOf({ partner, kind, token, made }: KnownOrder, known: ReadonlyMap<unknown, unknown>): Violation[] {
  const [id] = made;
  if (id === undefined || kind === "bank" || known.get(id) === partner.id) return [];
  return [{ promise: PROMISE, what: `${partner.id} was given ${id}, which the service has as ${String(known.get(id))}'s`, about: token }];
}

/** Payments at the bank that can be paid are known here, with their amount. */
function auditBank(books: Books, things: readonly Thing[]): Violation[] {
  const rows = new Map(books.rows("SELECT order_id, amount_kopecks, status FROM bank_payments").map((row) => [row.order_id, row]));
  return things
    .filter(({ object }) => object === "bank_payment")
    .flatMap((payment) => {
      const order = textOf(payment, "order_id");
      const row = rows.get(order);
      const ended = ["CANCELED", "DEADLINE_EXPIRED", "REJECTED"].includes(textOf(payment, "status"));
      if (row === undefined) return ended ? [] : [{ promise: PROMISE, what: `the bank's payment ${order} is unknown here`, about: order }];
      if (row.amount_kopecks !== payment.amount)
        return [
          {
            promise: "every amount is right",
            what: `${order}: ${row.amount_kopecks} here, ${String(payment.amount)} at the bank`,
            about: order,
          },
        ];
      const isPaid = textOf(payment, "status") === "CONFIRMED";
      return isPaid && row.status !== "CONFIRMED"
        ? [{ promise: "nothing is lost", what: `${order} is paid, and ${row.status} here`, about: order }]
        : [];
    });
}
