import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, getObject, listObjects, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";
import { createPaymentLink, listLines, updatePaymentLink } from "./links.ts";
import { createPrice, createProduct, updateProduct } from "./prices.ts";
import { createCoupon, createPromotionCode, deleteCoupon, fitsPromotionCode, updatePromotionCode } from "./promotions.ts";
import type { CallName, OBJECTS } from "./shape-roots.ts";
import { cancelSubscription, updateSubscription } from "./subscription-changes.ts";
import { createSubscription } from "./subscriptions.ts";

interface Call {
  readonly world: World;
  readonly form: Form;
  readonly livemode: boolean;
  readonly id: string;
}

type Kind = keyof typeof OBJECTS;

/** A call of the processor's API: its address, the kind of its result, or of the entries of its result, and its answer. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly kind: Kind;
  readonly isList?: true;
  readonly answer: (call: Call) => object | Promise<object>;
}

const MAX_PER_PAGE = 100;

const retrieve = (path: string, kind: Kind): Endpoint => ({
  method: "GET",
  path: `${path}/:id`,
  kind,
  answer: ({ world, id, livemode }) => getObject(world, kind, id, livemode),
});

function page(path: string, kind: Kind, fits: (object: ProcessorObject, form: Form, world: World) => boolean = () => true): Endpoint {
  return { method: "GET", path, kind, isList: true, answer };

  function answer({ world, form, livemode }: Call) {
    const limit = limitOf(form);
    const all = listObjects(world, kind).filter(
      (object) => object.livemode === livemode && inPeriod(object, form) && fits(object, form, world),
    );
    const after = text(form, "starting_after");
    if (after !== null && findObject(world, after)?.object !== kind) {
      throw invalidRequest(`No such ${kind}: '${after}'`, "starting_after", "resource_missing");
    }
    const rest = after === null ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
    return { object: "list", url: `/v1${path}`, has_more: rest.length > limit, data: rest.slice(0, limit) };
  }
}

function limitOf(form: Form): number {
  const limit = integer(form, "limit") ?? 10;
  if (limit < 1) throw invalidRequest("This value must be greater than or equal to 1.", "limit");
  if (limit > MAX_PER_PAGE) throw invalidRequest(`This value must be less than or equal to ${MAX_PER_PAGE}.`, "limit");
  return limit;
}

function inPeriod(object: ProcessorObject, form: Form): boolean {
  const created = branch(form, "created");
  return object.created >= (integer(created, "gte") ?? 0) && object.created <= (integer(created, "lte") ?? Number.MAX_SAFE_INTEGER);
}

/** Filters by form fields that have the same name in the object. */
const same =
  (...fields: string[]) =>
  (object: ProcessorObject, form: Form) =>
    fields.every((field) => text(form, field) === null || object[field] === form[field]);

function hasStatus({ status }: ProcessorObject, form: Form): boolean {
  const wanted = text(form, "status");
  return wanted === "all" || (wanted === null ? status !== "canceled" : status === wanted);
}

function ofTypes({ type }: ProcessorObject, form: Form): boolean {
  const wanted = list(form, "types");
  return wanted.length === 0 || wanted.includes(String(type));
}

function byPayment({ payment, invoice }: ProcessorObject, form: Form): boolean {
  const wanted = text(branch(form, "payment"), "payment_intent");
  const isPaid = wanted === null || (payment as { payment_intent?: string }).payment_intent === wanted;
  return isPaid && (text(form, "invoice") ?? invoice) === invoice;
}

/** The processor's calls. Faults refer to a call by its name. */
export const CALLS: Readonly<Record<CallName, Endpoint>> = {
  "products.create": {
    method: "POST",
    path: "/products",
    kind: "product",
    answer: ({ world, form, livemode }) => createProduct(world, form, livemode),
  },
  "products.update": {
    method: "POST",
    path: "/products/:id",
    kind: "product",
    answer: ({ world, form, id, livemode }) => updateProduct(world, id, form, livemode),
  },
  "products.retrieve": retrieve("/products", "product"),
  "prices.create": {
    method: "POST",
    path: "/prices",
    kind: "price",
    answer: ({ world, form, livemode }) => createPrice(world, form, livemode),
  },
  "prices.retrieve": retrieve("/prices", "price"),
  "payment_links.create": {
    method: "POST",
    path: "/payment_links",
    kind: "payment_link",
    answer: ({ world, form, livemode }) => createPaymentLink(world, form, livemode),
  },
  "payment_links.update": {
    method: "POST",
    path: "/payment_links/:id",
    kind: "payment_link",
    answer: ({ world, form, id, livemode }) => updatePaymentLink(world, id, form, livemode),
  },
  "payment_links.list": page("/payment_links", "payment_link"),
  "payment_links.retrieve": retrieve("/payment_links", "payment_link"),
  "payment_links.line_items": {
    method: "GET",
    path: "/payment_links/:id/line_items",
    kind: "item",
    isList: true,
    answer: ({ world, form, id, livemode }) => listLines(world, id, limitOf(form), livemode),
  },
  "coupons.create": {
    method: "POST",
    path: "/coupons",
    kind: "coupon",
    answer: ({ world, form, livemode }) => createCoupon(world, form, livemode),
  },
  "coupons.list": page("/coupons", "coupon"),
  "coupons.retrieve": retrieve("/coupons", "coupon"),
  "coupons.delete": {
    method: "DELETE",
    path: "/coupons/:id",
    kind: "coupon",
    answer: ({ world, id, livemode }) => deleteCoupon(world, id, livemode),
  },
  "promotion_codes.create": {
    method: "POST",
    path: "/promotion_codes",
    kind: "promotion_code",
    answer: ({ world, form, livemode }) => createPromotionCode(world, form, livemode),
  },
  "promotion_codes.list": page("/promotion_codes", "promotion_code", (code, form, world) => fitsPromotionCode(world, code, form)),
  "promotion_codes.retrieve": retrieve("/promotion_codes", "promotion_code"),
  "promotion_codes.update": {
    method: "POST",
    path: "/promotion_codes/:id",
    kind: "promotion_code",
    answer: ({ world, form, id, livemode }) => updatePromotionCode(world, id, form, livemode),
  },
  "customers.create": {
    method: "POST",
    path: "/customers",
    kind: "customer",
    answer: ({ world, form, livemode }) => addObject(world, "cus", { object: "customer", livemode, email: text(form, "email") }),
  },
  "customers.delete": {
    method: "DELETE",
    path: "/customers/:id",
    kind: "customer",
    answer: ({ world, id, livemode }) => {
      getObject(world, "customer", id, livemode);
      return { id, object: "customer", deleted: true };
    },
  },
  "subscriptions.create": {
    method: "POST",
    path: "/subscriptions",
    kind: "subscription",
    answer: ({ world, form, livemode }) => createSubscription(world, form, livemode),
  },
  "subscriptions.cancel": {
    method: "DELETE",
    path: "/subscriptions/:id",
    kind: "subscription",
    answer: ({ world, id, livemode }) => cancelSubscription(world, id, livemode),
  },
  "subscriptions.list": page("/subscriptions", "subscription", hasStatus),
  "subscriptions.retrieve": retrieve("/subscriptions", "subscription"),
  "subscriptions.update": {
    method: "POST",
    path: "/subscriptions/:id",
    kind: "subscription",
    answer: ({ world, form, id, livemode }) => updateSubscription(world, id, form, livemode),
  },
  "charges.retrieve": retrieve("/charges", "charge"),
  "payment_intents.retrieve": retrieve("/payment_intents", "payment_intent"),
  "refunds.retrieve": retrieve("/refunds", "refund"),
  "disputes.retrieve": retrieve("/disputes", "dispute"),
  "invoices.retrieve": retrieve("/invoices", "invoice"),
  "invoice_payments.list": page("/invoice_payments", "invoice_payment", byPayment),
  "checkout.sessions.list": page("/checkout/sessions", "checkout.session", same("payment_intent", "subscription", "payment_link")),
  "checkout.sessions.retrieve": retrieve("/checkout/sessions", "checkout.session"),
  "balance_transactions.list": page("/balance_transactions", "balance_transaction", same("source", "type")),
  "balance_transactions.retrieve": retrieve("/balance_transactions", "balance_transaction"),
  "events.list": page("/events", "event", ofTypes),
  "events.retrieve": retrieve("/events", "event"),
};
