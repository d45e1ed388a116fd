import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { words } from "./tables.ts";

/** A link or a bank payment with all that came of it. */
export interface Order {
  readonly object: ProcessorObject;
  readonly environment: "live" | "test";
  /** Null for a bank payment until it has an event: the bank is not told who sells. */
  readonly partner: string | null;
  /** What is sold, by the products' names. */
  readonly title: string;
  readonly checkouts: readonly ProcessorObject[];
  readonly payments: readonly ProcessorObject[];
  readonly refunds: readonly ProcessorObject[];
  readonly disputes: readonly ProcessorObject[];
  readonly subscriptions: readonly ProcessorObject[];
}

/** All orders, newest first. */
export function ordersOf(world: World): Order[] {
  const links = listObjects(world, "payment_link").map((link) => linkOrder(world, link));
  const bank = listObjects(world, "bank_payment").map((payment) => bankOrder(payment));
  return [...links, ...bank].toSorted((left, right) => right.object.created - left.object.created);
}

/** Who sells by a link, for its customer. */
export function shopOf(link: ProcessorObject): string {
  const partner = partnerOf(link);
  return partner === null ? "Sandbox shop" : partner.charAt(0).toUpperCase() + partner.slice(1);
}

/** By every id that an event may name: the order that it belongs to. */
export function byId(orders: readonly Order[]): ReadonlyMap<string, Order> {
  return new Map(
    orders.flatMap((order) => objectsOf(order).flatMap(({ id, order_id }) => [id, words(order_id)].map((one) => [one, order] as const))),
  );
}

/** What of an order can be searched for. */
export function textOf(order: Order): string {
  const said = objectsOf(order).flatMap((object) => [
    object.id,
    object.status,
    object.order_id,
    object.client_reference_id,
    (object.customer_details as { email?: string } | undefined)?.email,
  ]);
  return [order.title, order.partner, ...said].map(words).join(" ").toLowerCase();
}

const objectsOf = ({ object, checkouts, payments, refunds, disputes, subscriptions }: Order): readonly ProcessorObject[] => [
  object,
  ...checkouts,
  ...payments,
  ...refunds,
  ...disputes,
  ...subscriptions,
];

function partnerOf({ metadata }: ProcessorObject): string | null {
  return (metadata as { partner_id?: string } | undefined)?.partner_id ?? null;
}

function linkOrder(world: World, link: ProcessorObject): Order {
  const checkouts = oldestFirst(world, "checkout.session", ({ payment_link }) => payment_link === link.id);
  const started = new Set(checkouts.map(({ subscription }) => subscription));
  const subscriptions = oldestFirst(world, "subscription", ({ id }) => started.has(id));
  const invoices = new Set(
    oldestFirst(world, "invoice", ({ parent }) => started.has((parent as Parent | undefined)?.subscription_details.subscription)).map(
      ({ id }) => id,
    ),
  );
  const paid = new Set([
    ...checkouts.map(({ payment_intent }) => payment_intent),
    ...oldestFirst(world, "invoice_payment", ({ invoice }) => invoices.has(words(invoice))).map(
      ({ payment }) => (payment as Paying).payment_intent,
    ),
  ]);
  const ofThem = ({ payment_intent }: ProcessorObject) => payment_intent !== null && paid.has(payment_intent);
  return {
    object: link,
    environment: link.livemode ? "live" : "test",
    partner: partnerOf(link),
    title: (world.state.lines[link.id] ?? []).map((line) => `${words(line.description)} × ${words(line.quantity)}`).join(", "),
    checkouts,
    payments: oldestFirst(world, "payment_intent", ({ id }) => paid.has(id)),
    refunds: oldestFirst(world, "refund", ofThem),
    disputes: oldestFirst(world, "dispute", ofThem),
    subscriptions,
  };
}

interface Parent {
  readonly subscription_details: { readonly subscription: string };
}

interface Paying {
  readonly payment_intent: string;
}

function bankOrder(payment: ProcessorObject): Order {
  const nothing: readonly ProcessorObject[] = [];
  return {
    object: payment,
    environment: payment.livemode ? "live" : "test",
    partner: null,
    title: words(payment.description),
    checkouts: nothing,
    payments: nothing,
    refunds: nothing,
    disputes: nothing,
    subscriptions: nothing,
  };
}

function oldestFirst(world: World, kind: string, fits: (object: ProcessorObject) => boolean): ProcessorObject[] {
  return listObjects(world, kind).filter(fits).toReversed();
}
