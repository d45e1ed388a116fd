import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { words } from "./tables.ts";

/** A link or a bank payment with everything that followed from it. */
export interface Order {
  readonly object: ProcessorObject;
  readonly environment: "live" | "test";
  /** Null for a bank payment before its event: the bank does not know the seller. */
  readonly partner: string | null;
  /** The items, by product name. */
  readonly title: string;
  readonly checkouts: readonly ProcessorObject[];
  readonly payments: readonly ProcessorObject[];
  readonly refunds: readonly ProcessorObject[];
  readonly disputes: readonly ProcessorObject[];
  readonly subscriptions: readonly ProcessorObject[];
}

/** All orders, newest first. A subscription without a checkout is an order of its own. */
export function ordersOf(world: World): Order[] {
  const all = indexOf(world);
  const links = listObjects(world, "payment_link").map((link) => linkOrder(world, all, link));
  const begun = new Set(links.flatMap(({ subscriptions }) => subscriptions.map(({ id }) => id)));
  const others = listObjects(world, "subscription").filter(({ id }) => !begun.has(id));
  const bank = listObjects(world, "bank_payment").map((payment) => ({ ...NOTHING, ...about(payment), title: words(payment.description) }));
  return [...links, ...others.map((one) => subscriptionOrder(all, one)), ...bank].toSorted(
    (left, right) => right.object.created - left.object.created,
  );
}

/** The seller of a link, for its customer. */
export function shopOf(link: ProcessorObject): string {
  const partner = partnerOf(link);
  return partner === null ? "Sandbox shop" : partner.charAt(0).toUpperCase() + partner.slice(1);
}

/** The order of each id that an event may name. */
export function byId(orders: readonly Order[]): ReadonlyMap<string, Order> {
  return new Map(
    orders.flatMap((order) => objectsOf(order).flatMap(({ id, order_id }) => [id, words(order_id)].map((one) => [one, order] as const))),
  );
}

/** The searchable text of an order. */
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

/** Objects by their parent, oldest first. */
type Index = ReturnType<typeof indexOf>;

function indexOf(world: World) {
  const by = (kind: string, keyOf: (object: ProcessorObject) => unknown) => Map.groupBy(listObjects(world, kind).toReversed(), keyOf);
  return {
    checkouts: by("checkout.session", ({ payment_link }) => payment_link),
    subscriptions: by("subscription", ({ id }) => id),
    invoices: by("invoice", ({ parent }) => (parent as Parent | undefined)?.subscription_details.subscription),
    paidInvoices: by("invoice_payment", ({ invoice }) => invoice),
    payments: by("payment_intent", ({ id }) => id),
    refunds: by("refund", ({ payment_intent }) => payment_intent),
    disputes: by("dispute", ({ payment_intent }) => payment_intent),
  };
}

const NOTHING = { checkouts: [], payments: [], refunds: [], disputes: [], subscriptions: [] };

const about = (object: ProcessorObject) => ({
  object,
  environment: object.livemode ? ("live" as const) : ("test" as const),
  partner: partnerOf(object),
});

function linkOrder(world: World, all: Index, link: ProcessorObject): Order {
  const checkouts = all.checkouts.get(link.id) ?? [];
  const subscriptions = checkouts.flatMap(({ subscription }) => all.subscriptions.get(words(subscription)) ?? []);
  const intents = checkouts.map(({ payment_intent, attempt }) => words(payment_intent ?? attempt));
  return {
    ...about(link),
    title: (world.state.lines[link.id] ?? []).map((line) => `${words(line.description)} × ${words(line.quantity)}`).join(", "),
    checkouts,
    subscriptions,
    ...paymentsOf(all, subscriptions, intents),
  };
}

function subscriptionOrder(all: Index, subscription: ProcessorObject): Order {
  return {
    ...about(subscription),
    title: "Subscription",
    checkouts: [],
    subscriptions: [subscription],
    ...paymentsOf(all, [subscription], []),
  };
}

/** The payments of these subscriptions and intents, with their refunds and disputes. */
function paymentsOf(all: Index, subscriptions: readonly ProcessorObject[], intents: readonly string[]) {
  const invoices = subscriptions.flatMap(({ id }) => all.invoices.get(id) ?? []);
  const paid = invoices.flatMap(({ id }) => all.paidInvoices.get(id) ?? []).map(({ payment }) => (payment as Paying).payment_intent);
  const ids = [...new Set([...intents, ...paid])];
  const of = (index: ReadonlyMap<unknown, ProcessorObject[]>) => ids.flatMap((id) => index.get(id) ?? []);
  return { payments: of(all.payments), refunds: of(all.refunds), disputes: of(all.disputes) };
}

interface Parent {
  readonly subscription_details: { readonly subscription: string };
}

interface Paying {
  readonly payment_intent: string;
}
