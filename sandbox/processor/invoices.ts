import type { ProcessorObject } from "../state.ts";
import { addObject, randomId, type World } from "../world.ts";
import type { Charged } from "./charge.ts";

/** Adds an invoice and its payment; `charged` is null if nothing is due, or if it was paid elsewhere (`paidElsewhere`, minor units). */
export function addInvoice(
  world: World,
  subscription: ProcessorObject,
  charged: Charged | null,
  reason: string,
  paidElsewhere = 0,
): ProcessorObject {
  const { livemode } = subscription;
  const isPaid = charged === null || charged.charge.status === "succeeded";
  const invoice = addObject(world, "in", {
    object: "invoice",
    livemode,
    billing_reason: reason,
    customer: subscription.customer,
    status: isPaid ? "paid" : "open",
    amount_paid: isPaid ? (charged?.charge.amount ?? paidElsewhere) : 0,
    ...(paidElsewhere > 0 ? { amount_paid_off_stripe: paidElsewhere } : {}),
    currency: subscription.currency,
    hosted_invoice_url: `${world.origin}/invoices/${charged?.intent.id ?? subscription.id}`,
    parent: {
      type: "subscription_details",
      subscription_details: { subscription: subscription.id, metadata: structuredClone(subscription.metadata) },
    },
  });
  const addPayment = (status: string, intent: unknown) =>
    addObject(world, "inpay", {
      object: "invoice_payment",
      livemode,
      invoice: invoice.id,
      status,
      payment: { type: "payment_intent", payment_intent: intent },
    });
  if (charged !== null) addPayment(isPaid ? "paid" : "open", charged.intent.id);
  // An invoice that was paid elsewhere keeps the intent of the payment that was never made.
  if (paidElsewhere > 0) addPayment("canceled", addUnusedIntent(world, subscription, paidElsewhere).id);
  return invoice;
}

function addUnusedIntent(world: World, { livemode, currency }: ProcessorObject, amount: number): ProcessorObject {
  const state = { status: "canceled", amount_received: 0, latest_charge: null, client_secret: randomId("secret") };
  return addObject(world, "pi", { object: "payment_intent", livemode, currency, amount, metadata: {}, description: null, ...state });
}
