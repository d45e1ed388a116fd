import { API_VERSION } from "../../src/processor/version.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, listObjects, type World } from "../world.ts";
import { type Endpoint, limitOf, page, post, remove, retrieve } from "./endpoints.ts";
import { branch, type Form, list, text } from "./form.ts";
import { createPaymentLink, listLines, updatePaymentLink } from "./links.ts";
import { createPrice, createProduct, updateProduct } from "./prices.ts";
import { createCoupon, createPromotionCode, deleteCoupon, fitsPromotionCode, updatePromotionCode } from "./promotions.ts";
import type { CallName } from "./shape-roots.ts";
import { cancelSubscription, updateSubscription } from "./subscription-changes.ts";
import { createSubscription } from "./subscriptions.ts";

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

function ofCheckout(session: ProcessorObject, form: Form): boolean {
  const email = text(branch(form, "customer_details"), "email");
  const isOfBuyer = email === null || (session.customer_details as { email: string | null }).email === email;
  return isOfBuyer && same("payment_intent", "subscription", "payment_link")(session, form);
}

/** The destination of the sandbox's own events: the edge gets all of them. */
function destination({ edge }: World, livemode: boolean) {
  const environment = livemode ? "live" : "test";
  return {
    id: `we_${environment}`,
    object: "webhook_endpoint",
    api_version: API_VERSION,
    application: null,
    created: 0,
    description: null,
    enabled_events: ["*"],
    livemode,
    metadata: {},
    status: "enabled",
    url: `${edge}/ingest/processor/${environment}`,
  };
}

/** The processor's calls. Faults refer to a call by its name. */
export const CALLS: Readonly<Record<CallName, Endpoint>> = {
  "products.create": post("/products", "product", ({ world, form, livemode }) => createProduct(world, form, livemode)),
  "products.update": post("/products/:id", "product", ({ world, form, id, livemode }) => updateProduct(world, id, form, livemode)),
  "products.retrieve": retrieve("/products", "product"),
  "products.list": page("/products", "product"),
  "prices.create": post("/prices", "price", ({ world, form, livemode }) => createPrice(world, form, livemode)),
  "prices.retrieve": retrieve("/prices", "price"),
  "prices.list": page("/prices", "price"),
  "payment_links.create": post("/payment_links", "payment_link", ({ world, form, livemode }) => createPaymentLink(world, form, livemode)),
  "payment_links.update": post("/payment_links/:id", "payment_link", ({ world, form, id, livemode }) =>
    updatePaymentLink(world, id, form, livemode),
  ),
  "payment_links.list": page("/payment_links", "payment_link"),
  "payment_links.retrieve": retrieve("/payment_links", "payment_link"),
  "payment_links.line_items": {
    method: "GET",
    path: "/payment_links/:id/line_items",
    kind: "item",
    isList: true,
    answer: ({ world, form, id, livemode }) => listLines(world, id, limitOf(form), livemode),
  },
  "coupons.create": post("/coupons", "coupon", ({ world, form, livemode }) => createCoupon(world, form, livemode)),
  "coupons.list": page("/coupons", "coupon"),
  "coupons.retrieve": retrieve("/coupons", "coupon"),
  "coupons.delete": remove("/coupons", "coupon", ({ world, id, livemode }) => deleteCoupon(world, id, livemode)),
  "promotion_codes.create": post("/promotion_codes", "promotion_code", ({ world, form, livemode }) =>
    createPromotionCode(world, form, livemode),
  ),
  "promotion_codes.list": page("/promotion_codes", "promotion_code", (code, form, world) => fitsPromotionCode(world, code, form)),
  "promotion_codes.retrieve": retrieve("/promotion_codes", "promotion_code"),
  "promotion_codes.update": post("/promotion_codes/:id", "promotion_code", ({ world, form, id, livemode }) =>
    updatePromotionCode(world, id, form, livemode),
  ),
  "customers.create": post("/customers", "customer", ({ world, form, livemode }) =>
    addObject(world, "cus", { object: "customer", livemode, email: text(form, "email") }),
  ),
  "customers.delete": remove("/customers", "customer", ({ world, id, livemode }) => {
    getObject(world, "customer", id, livemode);
    return { id, object: "customer", deleted: true };
  }),
  "subscriptions.create": post("/subscriptions", "subscription", ({ world, form, livemode }) => createSubscription(world, form, livemode)),
  "subscriptions.cancel": remove("/subscriptions", "subscription", ({ world, id, livemode }) => cancelSubscription(world, id, livemode)),
  "subscriptions.list": page("/subscriptions", "subscription", hasStatus),
  "subscriptions.retrieve": retrieve("/subscriptions", "subscription"),
  "subscriptions.update": post("/subscriptions/:id", "subscription", ({ world, form, id, livemode }) =>
    updateSubscription(world, id, form, livemode),
  ),
  "charges.retrieve": retrieve("/charges", "charge"),
  "charges.list": page("/charges", "charge"),
  "payment_intents.retrieve": retrieve("/payment_intents", "payment_intent"),
  "payment_intents.list": page("/payment_intents", "payment_intent"),
  "refunds.retrieve": retrieve("/refunds", "refund"),
  "refunds.list": page("/refunds", "refund"),
  "disputes.retrieve": retrieve("/disputes", "dispute"),
  "disputes.list": page("/disputes", "dispute"),
  "invoices.retrieve": retrieve("/invoices", "invoice"),
  "invoices.list": page("/invoices", "invoice"),
  "invoice_payments.list": page("/invoice_payments", "invoice_payment", byPayment),
  "checkout.sessions.list": page("/checkout/sessions", "checkout.session", ofCheckout),
  "checkout.sessions.retrieve": retrieve("/checkout/sessions", "checkout.session"),
  "balance_transactions.list": page("/balance_transactions", "balance_transaction", same("source", "type")),
  "balance_transactions.retrieve": retrieve("/balance_transactions", "balance_transaction"),
  "webhook_endpoints.list": {
    method: "GET",
    path: "/webhook_endpoints",
    kind: "webhook_endpoint",
    isList: true,
    answer: ({ world, livemode }) => ({
      object: "list",
      url: "/v1/webhook_endpoints",
      has_more: false,
      data: [
        destination(world, livemode),
        ...listObjects(world, "webhook_endpoint").flatMap((made) => (made.livemode === livemode ? [{ ...made, secret: undefined }] : [])),
      ],
    }),
  },
  "webhook_endpoints.create": post("/webhook_endpoints", "webhook_endpoint", ({ world, form, livemode }) => {
    const { id: _id, created: _created, ...shown } = destination(world, livemode);
    return addObject(world, "we", {
      ...shown,
      url: text(form, "url"),
      enabled_events: list(form, "enabled_events"),
      api_version: text(form, "api_version"),
      description: text(form, "description"),
      // Only this answer contains the secret. The sandbox's own events to the edge use the edge's secret.
      secret: `whsec_${crypto.randomUUID().replaceAll("-", "")}`,
    });
  }),
  "events.list": page("/events", "event", ofTypes),
  "events.retrieve": retrieve("/events", "event"),
};
