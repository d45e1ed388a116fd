import type { ProcessorObject } from "../state.ts";
import { addObject, type World } from "../world.ts";
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
  if (charged === null) return invoice;
  addObject(world, "inpay", {
    object: "invoice_payment",
    livemode,
    invoice: invoice.id,
    status: isPaid ? "paid" : "open",
    payment: { type: "payment_intent", payment_intent: charged.intent.id },
  });
  return invoice;
}
