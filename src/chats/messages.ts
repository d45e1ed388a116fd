import * as z from "zod";
import { environmentSchema } from "../core/environment.ts";
import { jsonObjectSchema, parseJson } from "../core/json.ts";
import { moneyText, toMinorUnits } from "../core/money.ts";

const paidSchema = z.object({
  Payment: z.object({ Amount: z.int(), OrderId: z.string(), Data: z.object({ ep_order: z.string().nullable() }) }),
});
const refusedSchema = z.object({
  payment_link_id: z.string(),
  refused_payment_method_types: z.array(z.string()),
  covered_by: z.record(z.string(), z.string()).optional(),
});
const saysSchema = z.object({ says: z.string() });
const saysOf = (event: object): string => saysSchema.parse(event).says;
const disputedSchema = z.object({
  transaction: z.object({ client_reference_id: z.string().nullable(), payment_intent_id: z.string().nullable() }),
  dispute: z.object({ amount: z.number(), currency: z.string(), reason: z.string(), evidence_due_by: z.string().nullable() }).nullable(),
});

/** The messages for people, by the names of their events, which say by which channels they go: one or two sentences each, without personal values and addresses. */
const MESSAGES: Readonly<Record<string, (event: object) => string>> = {
  "Bank.payment.succeeded"(event) {
    const { Amount, OrderId, Data } = paidSchema.parse(event).Payment;
    return `Paid: ${moneyText(Amount, "RUB")}, order ${Data.ep_order ?? OrderId}.`;
  },
  "Processor.payment_method.refused"(event) {
    const { payment_link_id: link, refused_payment_method_types: methods, covered_by: covered = {} } = refusedSchema.parse(event);
    const included = Object.entries(covered).map(([name, method]) => ` ${method} includes ${name}.`);
    const them = methods.length === 1 ? "it" : "them";
    return `The card processor refused ${methods.join(", ")} for the link ${link}. The link works without ${them}.${included.join("")}`;
  },
  "Processor.dispute.opened"(event) {
    const { transaction, dispute } = disputedSchema.parse(event);
    const known = transaction.client_reference_id ?? transaction.payment_intent_id;
    const order = known === null ? "an order that is not known" : `order ${known}`;
    if (dispute === null) return `A customer's bank took back the money of ${order}.`;
    const { amount, currency, reason, evidence_due_by: dueBy } = dispute;
    const evidence = dueBy === null ? "" : ` Evidence is due by ${dueBy}: send it to support.`;
    return `A customer disputes ${moneyText(toMinorUnits(amount, currency), currency)} of ${order} (${reason}).${evidence}`;
  },
  "Processor.dispute.evidence_due": saysOf,
  "Partner.webhook.failing": saysOf,
  "Partner.webhook.recovered": saysOf,
};

/** The message about an event, by its body. @throws for an event without one */
export function messageOf(body: string): string {
  const event = parseJson(jsonObjectSchema, body);
  const { event: name, environment } = z.object({ event: z.string(), environment: environmentSchema }).parse(event);
  const message = MESSAGES[name];
  if (message === undefined) throw new Error(`${name} has no message for a chat`);
  return `${environment === "test" ? "[test] " : ""}${message(event)}`;
}
