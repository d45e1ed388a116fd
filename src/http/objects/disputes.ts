import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { disputeStates } from "../../core/object-states.ts";
import { disputeSelections } from "../../disputes/list.ts";
import type { DisputeRow } from "../../disputes/store.ts";
import { disputeSchema, viewDispute } from "../../views/dispute.ts";
import { listOf } from "../calls/lists.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { type Asked, byPartner, rowQuery } from "./rows.ts";
import { newestPage, SELECTION_WEIGHT, selectionPage, selectionSums, sortQuery } from "./selection.ts";

/** A dispute in a list, and at its order. */
export const listedDispute = disputeSchema.extend({
  environment: environmentSchema,
  created_at: z.string(),
  payment_intent_id: z.string().nullable().describe("The disputed order: `GET /partner/orders/<id>`"),
  client_reference_id: z.string().nullable(),
});

export const viewListedDispute = (row: DisputeRow) => ({
  ...viewDispute(row),
  partner_id: row.partnerId,
  environment: row.environment,
  created_at: isoTime(row.createdAt),
  payment_intent_id: row.paymentIntentId,
  client_reference_id: row.clientReferenceId,
});

/** The query fields by which disputes are searched. */
export const disputeSearch = { state: z.enum(disputeStates).optional().describe("Only disputes in this state") };

type AskedDisputes = Asked & z.output<z.ZodObject<typeof disputeSearch>>;

const listingOf = ({ state, ...asked }: AskedDisputes) => ({
  asked,
  filter: { state },
  which: "current" as const,
  view: (rows: readonly DisputeRow[]) => rows.map(viewListedDispute),
});

export const disputesPage = (asker: Asker, asked: AskedDisputes) => newestPage(asker, disputeSelections, listingOf(asked));

const NEWEST = "-created_at";

const disputeSum = {
  disputes: z.int(),
  amount: z.number().describe("What is disputed, whatever becomes of it"),
};

export const disputeCalls = [
  defineForBoth({
    query: rowQuery.extend(disputeSearch).extend(sortQuery(disputeSelections, NEWEST, ". `amount`: by the number, whatever the currency")),
    partner: {
      command: "disputes list",
      path: "/partner/disputes",
      permission: "balance_view",
      weight: SELECTION_WEIGHT,
      forAgents: {
        tool: "list-partner-disputes",
        hint: "Use it for disputes: why, how much, until when. Evidence goes to support.",
        without: ["sort"],
      },
      summary: "Your disputes and inquiries, newest first, with the reason and the deadline for evidence",
      answer: listOf(listedDispute).extend(selectionSums(disputeSum)),
      example: "--state needs_response",
    },
    operator: {
      role: "any",
      summary: "Disputes and inquiries, newest first: of a partner, or of all",
      filters: byPartner,
      answer: listOf(listedDispute.extend({ partner_id: z.string() })).extend(selectionSums(disputeSum)),
    },
    run: (asker, { query: { sort, ...asked } }) =>
      selectionPage(asker, disputeSelections, listingOf(asked), {
        sort,
        usual: NEWEST,
        viewSum: ({ count, sums: { amount } }, major) => ({ disputes: count, amount: major(amount) }),
      }),
  }),
];
