import type { Books } from "./books.ts";
import type { Owners } from "./owners.ts";
import type { Violation } from "./violation.ts";
import { type KnownOrder, partOf, type Thing, textOf, type World } from "./world.ts";

const PROMISE = "every object is made once";

/** Each order has at most one object, every answer names it, and the service has every usable object. */
export function auditObjects(books: Books, { things, orders, lines }: World, owners: Owners): Violation[] {
  const wrong: Violation[] = [];
  const add = (what: string, about: string) => void wrong.push({ promise: PROMISE, what, about });
  const usable = things.filter(({ object, active }) => (object === "payment_link" || object === "promotion_code") && active === true);
  for (const made of Map.groupBy(usable, (thing) => textOf(partOf(thing, "metadata"), "record_id")).values()) {
    if (made.length > 1) add(`one record has ${made.map(({ id }) => id).join(", ")}, all usable`, made[0]?.id ?? "");
  }
  const rows = books.rows("SELECT id, partner_id FROM payment_links UNION ALL SELECT id, partner_id FROM promotion_codes");
  const known = new Map(rows.map((row) => [String(row.id), row.partner_id]));
  for (const { id, object } of usable) {
    if (!known.has(id)) add(`the ${object} ${id} can be used, and the service does not know it`, id);
    else if (known.get(id) !== owners.of(id)) add(`${id} is of ${owners.of(id)} at the processor, and of ${known.get(id)} here`, id);
  }
  const coupons = new Set(books.rows("SELECT coupon_id FROM promotion_codes").map((row) => row.coupon_id));
  for (const thing of things) {
    if (thing.object !== "coupon" || coupons.has(thing.id)) continue;
    add(`no code is of the coupon ${thing.id} of the record ${textOf(partOf(thing, "metadata"), "record_id")}`, thing.id);
  }

  const ofToken = tokensOfRecords(books);
  for (const order of orders) {
    if (new Set(order.made).size > 1) add(`answers name ${[...new Set(order.made)].join(", ")}`, order.token);
    if (order.kind !== "bank") wrong.push(...auditOrder(order, owners, lines));
  }
  // Metadata names the record, and the record its token: a token has one usable object in any case.
  const byToken = Map.groupBy(usable, (thing) => ofToken.get(textOf(partOf(thing, "metadata"), "record_id")) ?? "");
  for (const [token, made] of byToken)
    if (token !== "" && made.length > 1) add(`${token} has ${made.map(({ id }) => id).join(", ")}`, token);
  return wrong;
}

/** The tokens of the records, without their kind; each with its partner and operation. */
function tokensOfRecords(books: Books): ReadonlyMap<string, string> {
  const rows = books.rows("SELECT id, substr(key, instr(key, ':') + 1) AS token FROM idempotency_records WHERE key NOT LIKE 'content:%'");
  return new Map(rows.map(({ id, token }) => [String(id), String(token)]));
}

/** The object in an answer exists at the processor, is usable, belongs to the partner, and sells the ordered items. */
function auditOrder({ partner, kind, token, made, lines }: KnownOrder, owners: Owners, atProcessor: World["lines"]): Violation[] {
  const [id] = made;
  if (id === undefined) return [];
  const add = (promise: string, what: string) => [{ promise, what, about: token }];
  const thing = owners.thing(id);
  if (thing?.active !== true) return add(PROMISE, `${partner.id} was given ${id}, which no customer can use`);
  if (owners.of(id) !== partner.id) return add("no partner sees another's", `${partner.id} was given ${id}, which is ${owners.of(id)}'s`);
  if (kind === "code") return [];
  const sold = (atProcessor[id] ?? []).map((line) => `${Number(partOf(line, "price").unit_amount)} × ${Number(line.quantity)}`);
  const ordered = lines.map(([unitAmount, quantity]) => `${unitAmount} × ${quantity}`);
  if (sold.toSorted().join() === ordered.toSorted().join()) return [];
  return add("every amount is right", `${id} sells ${sold.join(", ")} instead of ${ordered.join(", ")}`);
}

/**
 * Payments at the bank are stored here, each with its amount, its status and its owner; and a request has at most one.
 */
export function auditBank(books: Books, { things, orders }: World): Violation[] {
  const rows = books.rows("SELECT id, order_id, partner_id, bank_payment_id, amount_kopecks, status, record_id FROM bank_payments");
  const byOrder = new Map(rows.map((row) => [String(row.order_id), row]));
  const payments = things.filter(({ object }) => object === "bank_payment");
  const wrong = payments.flatMap((payment) => auditBankPayment(payment, byOrder.get(textOf(payment, "order_id"))));
  const live = payments.filter((payment) => !ENDED.has(textOf(payment, "status")));
  const byRecord = Map.groupBy(live, (payment) => String(byOrder.get(textOf(payment, "order_id"))?.record_id));
  for (const [record, open] of byRecord) {
    if (open.length > 1)
      wrong.push({ promise: PROMISE, what: `${record} has ${open.length} payments at the bank`, about: textOf(open[0], "order_id") });
  }
  const atBank = new Set(payments.map(({ id }) => id));
  for (const row of rows) {
    if (!atBank.has(String(row.bank_payment_id)))
      wrong.push({ promise: PROMISE, what: `the bank has no ${row.bank_payment_id}`, about: String(row.order_id) });
  }
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  for (const { kind, partner, made, token } of orders) {
    const row = kind === "bank" && made[0] !== undefined ? byId.get(made[0]) : null;
    if (row === undefined || (row !== null && row.partner_id !== partner.id)) {
      wrong.push({
        promise: "no partner sees another's",
        what: `${partner.id} was given ${made[0]}, which is ${String(row?.partner_id)}'s`,
        about: token,
      });
    }
  }
  return wrong;
}

const ENDED = new Set(["CANCELED", "DEADLINE_EXPIRED", "REJECTED", "AUTH_FAIL", "REVERSED"]);
const PAID = new Set(["CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"]);

function auditBankPayment(payment: Thing, row: ReturnType<Books["rows"]>[number] | undefined): Violation[] {
  const order = textOf(payment, "order_id");
  const status = textOf(payment, "status");
  if (row === undefined)
    return ENDED.has(status) ? [] : [{ promise: PROMISE, what: `the bank's payment ${order} is unknown here`, about: order }];
  const faults = [
    row.amount_kopecks === payment.amount
      ? null
      : ["every amount is right", `${order}: ${row.amount_kopecks} here, ${String(payment.amount)} at the bank`],
    PAID.has(status) && row.status !== status ? ["nothing is lost", `${order} is ${status} at the bank, and ${row.status} here`] : null,
  ];
  return faults.flatMap((fault) => (fault === null ? [] : [{ promise: fault[0] ?? "", what: fault[1] ?? "", about: order }]));
}
