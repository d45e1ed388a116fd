import { z } from "zod";
import { listTransactions } from "../../ledger/list-transactions.ts";
import { transactionOf } from "../../ledger/movement.ts";
import { defineOperation } from "../operation.ts";
import { transaction } from "./transaction.ts";

const LIMIT = "must be an integer from 1 to 100";

const input = z.object({
  created_gte: z.string().optional(),
  created_lte: z.string().optional(),
  environment: z.enum(["live", "test"], "must be live or test").optional(),
  limit: z.int(LIMIT).min(1, LIMIT).max(100, LIMIT).default(20),
  client_reference_id: z
    .string("must be a string")
    .min(1, "must not be empty")
    .refine(atMost200, "must be at most 200 characters")
    .optional(),
});

/** In characters as people count them, not in UTF-16 units. */
function atMost200(text: string): boolean {
  return Array.from(text).length <= 200;
}

const output = z.object({
  transactions: z.array(transaction),
  count: z.int(),
  environment_filter: z.enum(["live", "test", "all"]),
});

/** Operation 5. */
export const listPartnerTransactions = defineOperation("v2", {
  name: "list-partner-processor-transactions",
  summary: "List your payments for a period, or by your own order reference",
  permission: "balance_view",
  key: "header_or_body",
  input,
  output,
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
