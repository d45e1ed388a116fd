import * as z from "zod";
import { environmentSchema, environments } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { listTransactions } from "../../ledger/list-transactions.ts";
import { paymentExample, transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { defineOperation, READ_ONLY } from "../operation.ts";
import { v2 } from "./generation.ts";

const LIMIT = `must be an integer from 1 to ${limits.transactions.listed}`;

/** All filters are optional. An idempotency key is ignored (interface 5.4, 5.5, 5.7). */
const input = z.object({
  created_gte: z
    .string()
    .optional()
    .describe(
      "Start, inclusive: an ISO 8601 date or date-time, UTC; a bare date begins at 00:00:00. Later than created_lte: nothing is listed",
    ),
  created_lte: z.string().optional().describe("End, inclusive, in the same forms; a bare date ends at 23:59:59.999"),
  environment: environmentSchema.optional().describe("Left out: both"),
  limit: z
    .int(LIMIT)
    .min(1, LIMIT)
    .max(limits.transactions.listed, LIMIT)
    .default(limits.transactions.listedByDefault)
    .describe("The maximum number of movements, newest first; `has_more` says whether there are older ones"),
  client_reference_id: z
    .string("must be a string")
    .min(1, "must not be empty")
    .refine(hasReferenceLength, `must be at most ${limits.transactions.referenceCharacters} characters`)
    .optional()
    .meta({ description: "Your order reference, exactly, in its case", maxLength: limits.transactions.referenceCharacters }),
});

/** Counts Unicode code points, not UTF-16 code units. */
function hasReferenceLength(text: string): boolean {
  return Array.from(text).length <= limits.transactions.referenceCharacters;
}

/** `environment_filter` is `all` if no environment was requested (interface 5.6). */
const output = z.object({
  transactions: z.array(transactionSchema),
  count: z.int().describe("How many are listed"),
  has_more: z.boolean().describe("Whether there are older ones: GET /partner/payments has them in pages"),
  environment_filter: z.enum([...environments, "all"]),
});

/** Operation 5. */
export const listPartnerTransactions = defineOperation(v2, {
  name: "list-partner-processor-transactions",
  title: "List transactions",
  method: "transactions.list",
  summary: "List your payments for a period, or by your own order reference",
  description:
    "Your money movements, newest first: payments, refunds, disputes. A refund or dispute never changes a payment: it is its own movement. If there is nothing, the answer is a success with an empty list.",
  hint: "Use it to answer what was paid, refunded or disputed, or whether an order was paid (client_reference_id). Ruble payments are not in it. Where has_more is true, ask again with created_lte set to the transaction_date of the last one.",
  permission: "balance_view",
  key: "header_or_body",
  effect: READ_ONLY,
  insteadOf: Object.fromEntries(
    ["page", "offset", "cursor", "starting_after", "ending_before"].map((name) => [
      name,
      "there are no pages: GET /partner/payments lists the same in pages, or continue with created_lte, the date of the last one listed",
    ]),
  ),
  input,
  output,
  fails: [],
  example: {
    request: { created_gte: "2026-01-01", environment: "test", limit: 100 },
    response: { transactions: [{ ...paymentExample, environment: "test" }], count: 1, has_more: false, environment_filter: "test" },
  },
  environmentsOf: ({ environment }) => (environment === undefined ? environments : [environment]),
  async run(deps, caller, body) {
    const { movements, hasMore } = await listTransactions(deps, caller, {
      createdGte: body.created_gte,
      createdLte: body.created_lte,
      environment: body.environment,
      clientReferenceId: body.client_reference_id,
      limit: body.limit,
    });
    return {
      transactions: movements.map(viewTransaction),
      count: movements.length,
      has_more: hasMore,
      environment_filter: body.environment ?? ("all" as const),
    };
  },
});
