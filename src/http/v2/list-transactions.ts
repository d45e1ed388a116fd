import { z } from "zod";
import { listTransactions } from "../../ledger/list-transactions.ts";
import { transactionOf } from "../../ledger/movement.ts";
import { defineOperation, READS } from "../operation.ts";
import { liveOrTest } from "../schemas.ts";
import { paymentExample, transaction } from "./transaction.ts";

const LIMIT = "must be an integer from 1 to 100";

const input = z.object({
  created_gte: z
    .string()
    .optional()
    .describe("From then on, inclusive: an ISO 8601 date or date-time, UTC; a bare date begins at 00:00:00"),
  created_lte: z.string().optional().describe("Until then, inclusive, in the same forms; a bare date ends at 23:59:59.999"),
  environment: liveOrTest.optional().describe("Left out: both"),
  limit: z.int(LIMIT).min(1, LIMIT).max(100, LIMIT).default(20).describe("The newest that many; there is no second page: split the period"),
  client_reference_id: z
    .string("must be a string")
    .min(1, "must not be empty")
    .refine(atMost200, "must be at most 200 characters")
    .optional()
    .meta({ description: "Your order reference, exactly, in its case", maxLength: 200 }),
});

/** In characters as people count them, not in UTF-16 units. */
function atMost200(text: string): boolean {
  return Array.from(text).length <= 200;
}

const output = z.object({
  transactions: z.array(transaction),
  count: z.int().describe("How many are listed"),
  environment_filter: z.enum(["live", "test", "all"]),
});

/** Operation 5. */
export const listPartnerTransactions = defineOperation("v2", {
  name: "list-partner-processor-transactions",
  summary: "List your payments for a period, or by your own order reference",
  description:
    "Your movements of money, the newest first: payments, refunds, disputes. A refund or dispute never changes a payment: it is a movement of its own. Nothing found is a success with an empty list.",
  permission: "balance_view",
  key: "header_or_body",
  effect: READS,
  input,
  output,
  fails: [],
  example: {
    request: { created_gte: "2026-01-01", environment: "test", limit: 100 },
    response: { transactions: [{ ...paymentExample, environment: "test" }], count: 1, environment_filter: "test" },
  },
  async run(tools, caller, body) {
    const movements = await listTransactions(tools, caller, {
      createdGte: body.created_gte,
      createdLte: body.created_lte,
      environment: body.environment,
      clientReferenceId: body.client_reference_id,
      limit: body.limit,
    });
    return {
      transactions: movements.map(transactionOf),
      count: movements.length,
      environment_filter: body.environment ?? ("all" as const),
    };
  },
});
