import type { Environment } from "../core/environment.ts";
import { newId } from "../core/ids.ts";

/** The events a partner can get so far; docs/webhooks.md shows each. */
type EventName = "Processor.payment.succeeded" | "Processor.payment_method.refused";

/** Something that happened and that a partner is told. `payload` joins the envelope, see {@link bodyOf}. */
export interface PartnerEvent {
  readonly id: string;
  /** Names what happened: the same cause makes one event, however often it is worked off. */
  readonly cause: string;
  readonly partnerId: string;
  readonly environment: Environment;
  readonly name: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A new payment; `transaction` as operation 5 shows it. */
export function paymentSucceeded(partnerId: string, environment: Environment, transaction: { readonly id: string }): PartnerEvent {
  const cause = `payment.succeeded:${transaction.id}`;
  return { id: newId("evt"), cause, partnerId, environment, name: "Processor.payment.succeeded", payload: { transaction } };
}

/** The processor would not have some of a link's payment methods; the link exists without them. */
export function methodsRefused(
  run: { readonly recordId: string; readonly partnerId: string },
  environment: Environment,
  link: { readonly id: string; readonly refusedMethods: readonly string[] },
): PartnerEvent {
  return {
    id: newId("evt"),
    cause: `payment_method.refused:${link.id}`,
    partnerId: run.partnerId,
    environment,
    name: "Processor.payment_method.refused",
    payload: { payment_link_id: link.id, refused_payment_method_types: link.refusedMethods },
  };
}
