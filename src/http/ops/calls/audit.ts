import * as z from "zod";
import { auditEntries } from "../../../audit/audit-log.ts";
import { isoTime } from "../../../core/clock.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import { erasePerson } from "../../../ledger/erase.ts";
import { keyIn, pageOf, pageQuery, periodOf, periodQuery, sortedPage } from "../../calls/paging.ts";
import { defineCall } from "../define-call.ts";

const auditKey = z.tuple([z.number(), z.int(), z.number()]);
const values = z.record(z.string(), z.unknown()).nullable();

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
    answer: pageOf(
      z.object({
        at: z.string(),
        actor: z.string(),
        action: z.string(),
        target: z.string(),
        partner_id: z.string().nullable(),
        before: values,
        after: values,
        request_id: z.string(),
      }),
    ),
    example: "--partner acme",
    async run({ deps }, { query: { limit, cursor, partner, target, actor, ...period } }) {
      const { from, to } = periodOf(period);
      const [at, lastPlace, lastId] = keyIn(cursor, auditKey) ?? [to, Number.MIN_SAFE_INTEGER, 0];
      const found = [];
      for (const [databaseName, name] of deps.databaseNames.entries()) {
        // Among entries of one time, those of earlier databases were shown before those of later ones.
        const id = -databaseName === lastPlace ? lastId : -databaseName < lastPlace ? Number.MAX_SAFE_INTEGER : 0;
        const entries = () => auditEntries(deps.inDatabase(name).db, { partnerId: partner, target, actor, from }, { at, id }, limit + 1);
        const rows = await deps.askDatabase(name, entries);
        found.push(...(rows ?? []).map((row) => ({ ...row, key: [row.at, -databaseName, row.id] as const })));
      }
      return sortedPage(found, limit, (row) => ({
        at: isoTime(row.at),
        actor: row.actor,
        action: row.action,
        target: row.target,
        partner_id: row.partnerId,
        before: valuesOf(row.before),
        after: valuesOf(row.after),
        request_id: row.requestId,
      }));
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

function valuesOf(text: string | null): JsonObject | null {
  return text === null ? null : parseJson(jsonObjectSchema, text);
}
