import { createHmac } from "node:crypto";
import type { Books } from "./books.ts";
import type { Owners } from "./owners.ts";
import type { Violation } from "./violation.ts";
import { type Delivery, type KnownPartner, partOf, type Thing, textOf, type World } from "./world.ts";

type Body = Readonly<Record<string, unknown>>;

/**
 * Every event has reached its partner, signed with one of the partner's secrets, and no other partner; at each of its webhooks that was
 * there, and in its feed.
 */
export function auditDeliveries(books: Books, world: World, owners: Owners): Violation[] {
  const wrong: Violation[] = [];
  const partnerOf = new Map(
    world.partners.flatMap((partner) => [...partner.inboxes, ...partner.furtherInboxes].map((inbox) => [inbox, partner] as const)),
  );
  const bodies = new Map<string, string>();
  /** The events that each partner received, by name and subject. */
  const taken = new Set<string>();
  const ids = new Set<string>();
  /** The events that further webhooks have accepted. */
  const further = new Set<string>();
  const isFurther = new Set(world.partners.flatMap(({ furtherInboxes }) => furtherInboxes));
  for (const [inbox, deliveries] of world.received) {
    const partner = partnerOf.get(inbox);
    for (const delivery of deliveries) {
      const id = delivery.headers["service-event-id"] ?? "";
      const body = JSON.parse(delivery.body) as Body;
      const subject = subjectOf(body, owners);
      const add = (promise: string, what: string) => wrong.push({ promise, what: `${inbox} got ${id}, ${what}`, about: subject.about });
      if (partner === undefined || subject.owner !== partner.id) add("no partner sees another's", `which is ${subject.owner}'s`);
      if (partner !== undefined && !isSigned(delivery, id, partner))
        add("every delivery is signed", "with a signature that does not verify");
      if (subject.fault !== null) add("every amount is right", subject.fault);
      if ((bodies.get(id) ?? delivery.body) !== delivery.body || body.id !== id) add("one event has one body", "with another body or id");
      bodies.set(id, delivery.body);
      if (delivery.answered >= 200 && delivery.answered < 300) {
        (isFurther.has(inbox) ? further : ids).add(id);
        if (!isFurther.has(inbox)) taken.add(`${textOf(body, "event")} ${subject.key}`);
      }
    }
  }
  for (const { id, name, cause, state, partner_id } of books.rows(
    "SELECT id, name, cause, state, partner_id FROM events WHERE environment = 'test'",
  )) {
    const [event = "", code] = String(id).split(".");
    const lost = (where: string) =>
      wrong.push({ promise: "nothing is lost", what: `${String(name)} ${String(id)} never came ${where}`, about: lastIdIn(cause) });
    if (code === undefined) {
      if (!ids.has(event)) lost("to the first webhook");
      const read = world.partners.find((partner) => partner.id === partner_id)?.feed.seen.get(event);
      if (read === undefined) lost("in the feed");
      else if (JSON.stringify(JSON.parse(bodies.get(event) ?? "null")) !== read)
        wrong.push({ promise: "one event has one body", what: `the feed has another body of ${event}`, about: lastIdIn(cause) });
    }
    // What waited for a webhook that was removed is given up.
    else if (state === "succeeded" && !further.has(event)) lost("to the further webhook");
    else if (state !== "succeeded" && state !== "exhausted")
      wrong.push({ promise: "no state is left behind", what: `the delivery ${String(id)} is ${String(state)}`, about: lastIdIn(cause) });
  }
  for (const partner of world.partners) {
    for (const [id, text] of partner.feed.seen) {
      const { owner, about } = subjectOf(JSON.parse(text) as Body, owners);
      if (owner !== partner.id) wrong.push({ promise: "no partner sees another's", what: `the feed of ${partner.id} has ${id}`, about });
    }
  }
  for (const { event, key, about } of expectedEvents(world.things)) {
    if (!taken.has(`${event} ${key}`))
      wrong.push({ promise: "nothing is lost", what: `no receiver got ${event} of ${key}`, about: about(owners) });
  }
  return wrong;
}

interface Expected {
  readonly event: string;
  readonly key: string;
  readonly about: (owners: Owners) => string;
}

/** The events that must follow from the objects at the processor and the bank: of test data, for which there are receivers. */
function expectedEvents(things: readonly Thing[]): Expected[] {
  const statusOf = new Map(things.map((thing) => [thing.id, textOf(thing, "status")]));
  return things.flatMap((thing): Expected[] => {
    if (thing.livemode === true) return [];
    const expect = (event: string, key = thing.id) => [{ event, key, about: (owners: Owners) => owners.intentOf(thing) || key }];
    if (thing.object === "bank_payment" && textOf(thing, "status") === "CONFIRMED")
      return expect("Bank.payment.succeeded", textOf(thing, "order_id"));
    if (thing.object === "bank_payment" && textOf(thing, "status") === "PARTIAL_REFUNDED")
      return [
        ...expect("Bank.payment.succeeded", textOf(thing, "order_id")),
        ...expect("Bank.payment.refunded", textOf(thing, "order_id")),
      ];
    // A subscription that started and ended before its first look-up only has the event of its end.
    if (thing.object === "subscription")
      return expect(textOf(thing, "status") === "canceled" ? "Processor.subscription.ended" : "Processor.subscription.started");
    if (thing.object !== "balance_transaction") return [];
    const isDone = statusOf.get(textOf(thing, "source")) === "succeeded";
    if (["charge", "payment"].includes(textOf(thing, "type"))) return isDone ? expect("Processor.payment.succeeded") : [];
    return ["refund", "payment_refund"].includes(textOf(thing, "type")) && isDone ? expect("Processor.refund.succeeded") : [];
  });
}

/** The subject of a body, by the processor's and the bank's objects. */
function subjectOf(body: Body, owners: Owners) {
  const payment = partOf(body, "Payment");
  if (payment.OrderId !== undefined) {
    const order = textOf(payment, "OrderId");
    const amount = owners.bankPayment(order)?.amount;
    const fault = amount === payment.Amount ? null : `of ${String(payment.Amount)} instead of ${String(amount)}`;
    return { key: order, about: order, owner: owners.ofBankPayment(String(payment.PaymentId)), fault };
  }
  const transaction = partOf(body, "transaction");
  if (transaction.id !== undefined) return movementOf(transaction, owners);
  const id = textOf(partOf(body, "subscription"), "id") || textOf(body, "payment_link_id");
  return { key: id, about: id, owner: owners.of(id), fault: null };
}

function movementOf(transaction: Body, owners: Owners) {
  const id = textOf(transaction, "id").replace("processor:", "");
  const thing = owners.thing(id);
  const about = textOf(transaction, "payment_intent_id");
  // A refund that was never booked is identified by its own id.
  if (thing?.object !== "balance_transaction") return { key: id, about, owner: owners.of(about), fault: null };
  const sent = Math.round(Number(transaction.amount) * 100);
  const fault = sent === thing.amount ? null : `of ${sent} instead of ${String(thing.amount)}`;
  return { key: id, about, owner: owners.ofMovement(thing), fault };
}

/** The last id in a cause of ours. */
function lastIdIn(cause: string | number | null | undefined): string {
  return String(cause).split(":").at(-1) ?? "";
}

/** The signature as in the webhook guide: HMAC-SHA256 over id, time and body, with any secret of the partner. */
function isSigned({ headers, body }: Delivery, id: string, { secrets }: KnownPartner): boolean {
  const time = headers["service-timestamp"] ?? "";
  const values = (headers["service-signature"] ?? "").split(" ").map((value) => value.replace(/^v1,/, ""));
  return secrets.some((secret) => values.includes(createHmac("sha256", secret).update(`${id}.${time}.${body}`).digest("hex")));
}
