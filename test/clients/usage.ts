/** What partners write against the generated types. It must compile, and what is wrong must not. */
import type {
  CreatePartnerProcessorCartPaymentLinkAnswer,
  CreatePartnerProcessorCartPaymentLinkRequest,
  PartnerEvent,
} from "./generated/hey-api";
import type { components } from "./generated/openapi-typescript";
import type { PartnerEvent as OrvalEvent } from "./generated/orval";
import { createPartnerProcessorCartPaymentLink } from "./generated/orval";

type Schemas = components["schemas"];

/** Fields with a default may be left out. */
export const request: CreatePartnerProcessorCartPaymentLinkRequest = {
  items: [{ stripe_product_id: "prod_1", unit_amount: 1900, quantity: 1 }],
};
export const listed: Schemas["ListPartnerProcessorTransactionsRequest"] = {};
export const link: Schemas["PaymentLinkCreateRequest"] = {
  api_key: "a0000000-0000-4000-8000-000000000001",
  auth_mode: "api_key",
  stripe_product_id: "prod_1",
  price: { unit_amount: 1900 },
};
// @ts-expect-error: a cart has items.
export const empty: Schemas["CreatePartnerProcessorCartPaymentLinkRequest"] = {};

/** `success` tells an answer's two forms apart. */
export function urlOf(
  answer: CreatePartnerProcessorCartPaymentLinkAnswer | Schemas["CreatePartnerProcessorCartPaymentLinkAnswer"],
): string {
  // @ts-expect-error: only a success has one.
  void answer.short_url;
  return answer.success ? answer.short_url : answer.error_code;
}

/** `event` tells events apart. */
export function subjectOf(event: PartnerEvent | OrvalEvent | Schemas["PartnerEvent"]): string {
  switch (event.event) {
    case "Bank.payment.succeeded":
      return event.Payment.OrderId;
    case "Processor.subscription.started":
    case "Processor.subscription.updated":
    case "Processor.subscription.ended":
      return event.subscription.items[0]?.processor_product_id ?? "";
    case "Processor.payment_method.refused":
      return event.payment_link_id;
    case "Processor.checkout.completed":
      return event.checkout.payment_link_id ?? "";
    default:
      return event.transaction.payment_link_id ?? "";
  }
}

/** orval's client in use. */
export const made = async () => {
  const { status, data } = await createPartnerProcessorCartPaymentLink(request);
  return status === 200 && data.success ? data.short_url : null;
};
