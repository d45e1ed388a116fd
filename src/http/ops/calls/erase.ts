import * as z from "zod";
import { findOrdersNamed } from "../../../bank-payments/admin.ts";
import { limits } from "../../../core/limits.ts";
import type { Deps } from "../../../deps.ts";
import { erasePerson } from "../../../ledger/erase.ts";
import type { ErasureSubject } from "../../../ledger/erasure-subject.ts";
import { conflict } from "../../calls/refusal.ts";
import { requirePartner } from "../../objects/partner-lookup.ts";
import { defineCall } from "../define-call.ts";

/** Who else keeps data of a buyer. We cannot delete it there. */
const REMAINING = [
  {
    where: "The card processor",
    what: "The buyer's customer, checkouts and receipts, with name, address and e-mail address",
    how: "In the processor's dashboard, open the customer and choose its deletion of personal data; without a customer, open the payment and do the same. Both environments have their own.",
  },
  {
    where: "The ruble bank and its fiscal data operator",
    what: "The receipts of ruble payments, with the address that they were sent to",
    how: "Receipts are kept by law. Write to the bank's support with the order's id for anything else.",
  },
  {
    where: "The partner",
    what: "The events that its webhook got, and what the buyer wrote to it",
    how: "Write to the partner's contact with the order reference: the partner decides about its own data.",
  },
] as const;

/** An order of a partner, or of whichever has it. @throws CallRefusal 404 for an unknown partner */
async function orderNamed(deps: Deps, clientReferenceId: string, partnerId: string | undefined): Promise<ErasureSubject> {
  if (partnerId !== undefined) await requirePartner(deps, partnerId);
  const named = await findOrdersNamed(deps, clientReferenceId);
  return { clientReferenceId, partnerId, orders: named.filter((order) => partnerId === undefined || order.partnerId === partnerId) };
}

export const eraseCalls = [
  defineCall({
    command: "erase",
    method: "POST",
    path: "/ops/erase",
    role: "admin",
    summary: "Erases the personal data of a payment, an order or a buyer; amounts and ids stay",
    irreversible: "Erased data cannot be restored.",
    isPartial: true,
    body: z
      .strictObject({
        payment_intent_id: z.string().startsWith("pi_", "must begin with pi_").max(limits.paymentIntentId.characters).optional(),
        client_reference_id: z.string().min(1).max(limits.transactions.referenceCharacters).optional(),
        email: z.email("must be an address").max(320).optional(),
        partner: z.string().optional().describe("With client_reference_id: whose order it is, where several partners have one"),
      })
      .refine(
        ({ payment_intent_id: a, client_reference_id: b, email: c }) => [a, b, c].filter((value) => value !== undefined).length === 1,
        { error: "give one of payment_intent_id, client_reference_id and email" },
      )
      .refine(({ partner, client_reference_id }) => partner === undefined || client_reference_id !== undefined, {
        error: "partner: goes with client_reference_id",
      }),
    answer: z.object({
      erasure: z.string().describe("The id of this erasure. `audit list --target` finds it, and has an entry with it at each order"),
      partners: z.array(z.string()).describe("Whose orders it is about"),
      order_ids: z.array(z.string()).describe("The orders that it is about, those that were empty before too"),
      payments: z.int(),
      subscriptions: z.int(),
      orders: z.int().describe("Orders whose customer was emptied"),
      audit_entries: z.int(),
      notes: z.int(),
      remaining: z
        .array(z.object({ where: z.string(), what: z.string(), how: z.string() }))
        .describe("What others still know of the person, and how to have it deleted there"),
    }),
    example: "--email buyer@example.com",
    async run({ deps, actor }, { body: { payment_intent_id, client_reference_id, email, partner } }) {
      const subject =
        payment_intent_id !== undefined
          ? { paymentIntentId: payment_intent_id }
          : client_reference_id !== undefined
            ? await orderNamed(deps, client_reference_id, partner)
            : { email: email ?? "" };
      const result = await erasePerson(deps, subject, actor);
      if ("owners" in result)
        conflict(`Several partners have such an order: ${result.owners.join(", ")}. Name one of them with \`partner\`.`);
      const { id, partners, orderIds, auditEntries, ...counts } = result;
      return {
        erasure: id,
        partners: [...partners],
        order_ids: [...orderIds],
        ...counts,
        audit_entries: auditEntries,
        remaining: [...REMAINING].map((one) => ({ ...one })),
      };
    },
  }),
];
