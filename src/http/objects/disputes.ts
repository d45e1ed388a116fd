import * as z from "zod";
import { environmentSchema } from "../../core/environment.ts";
import { disputeStates } from "../../core/object-states.ts";
import { disputeSelections } from "../../disputes/list.ts";
import type { DisputeRow } from "../../disputes/store.ts";
import { disputeSchema, viewDispute } from "../../views/dispute.ts";
import { wire } from "../wire.ts";
import { BY_NUMBER, defineList } from "./list.ts";
import { ownerField } from "./rows.ts";

/** A dispute in a list, and at its order. */
export const listedDispute = disputeSchema.extend({
  environment: environmentSchema,
  created_at: z.string(),
  payment_intent_id: z.string().nullable().describe("The disputed order: `GET /partner/orders/<id>`"),
  client_reference_id: z.string().nullable(),
});

const fieldsOf = wire(listedDispute.extend(ownerField));

export const viewListedDispute = (row: DisputeRow) => ({ ...fieldsOf(row), ...viewDispute(row) });

/** The query fields by which disputes are searched. */
const disputeSearch = { state: z.enum(disputeStates).optional().describe("Only disputes in this state") };

export const disputeList = defineList({
  of: disputeSelections,
  search: disputeSearch,
  usual: "-created_at",
  about: BY_NUMBER,
  which: "current",
  view: listedDispute,
  owned: listedDispute.extend(ownerField),
  filterOf: (_asker, { state }) => ({ state }),
  viewRows: (_asker, rows) => rows.map(viewListedDispute),
  sum: {
    disputes: z.int(),
    amount: z.number().describe("What is disputed, whatever becomes of it"),
  },
  viewSum: ({ count, sums: { amount } }, major) => ({ disputes: count, amount: major(amount) }),
  partner: {
    command: "disputes list",
    path: "/partner/disputes",
    permission: "balance_view",
    forAgents: {
      tool: "list-partner-disputes",
      hint: "Use it for disputes: why, how much, until when. Evidence goes to support.",
      without: ["sort"],
    },
    summary: "Your disputes and inquiries, newest first, with the reason and the deadline for evidence",
    example: "--state needs_response",
  },
  operator: { summary: "Disputes and inquiries, newest first: of a partner, or of all" },
});
