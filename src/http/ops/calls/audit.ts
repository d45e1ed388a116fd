import * as z from "zod";
import { auditEntries } from "../../../audit/audit-log.ts";
import { limits } from "../../../core/limits.ts";
import { erasePerson } from "../../../ledger/erase.ts";
import { auditAnswer, auditPage, viewEntry } from "../../calls/audit-page.ts";
import { pageOf, pageQuery, periodOf, periodQuery } from "../../calls/paging.ts";
import { defineCall } from "../define-call.ts";

export const auditCalls = [
  defineCall({
    command: "audit list",
    method: "GET",
    path: "/ops/audit",
    role: "any",
    summary: "Who changed what, when, and from what to what; newest first",
    query: z.object({
      partner: z.string().optional(),
      target: z.string().optional().describe("The id of what was changed"),
      actor: z.string().optional().describe("Who changed it"),
      ...periodQuery,
      ...pageQuery,
    }),
    answer: pageOf(auditAnswer.extend({ partner_id: z.string().nullable() })),
    example: "--partner acme",
    run({ deps }, { query: { limit, cursor, partner, target, actor, ...period } }) {
      const { from, to } = periodOf(period);
      const filter = { partnerId: partner, target, actor, from };
      const databases = deps.databaseNames.map(
        (name) => (before: { readonly at: number; readonly id: number }, most: number) =>
          deps.askDatabase(name, () => auditEntries(deps.inDatabase(name).db, filter, before, most)),
      );
      return auditPage(databases, { to, limit, cursor }, (row) => ({ ...viewEntry(row), partner_id: row.partnerId }));
    },
  }),
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
      })
      .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
        error: "give one of payment_intent_id, client_reference_id and email",
      }),
    answer: z.object({ payments: z.int(), subscriptions: z.int(), audit_entries: z.int() }),
    example: "--email buyer@example.com",
    async run({ deps, actor }, { body: { payment_intent_id, client_reference_id, email } }) {
      const subject =
        payment_intent_id !== undefined
          ? { paymentIntentId: payment_intent_id }
          : client_reference_id !== undefined
            ? { clientReferenceId: client_reference_id }
            : { email: email ?? "" };
      const { payments, subscriptions, auditEntries: entries } = await erasePerson(deps, subject, actor);
      return { payments, subscriptions, audit_entries: entries };
    },
  }),
];
