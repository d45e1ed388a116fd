import * as z from "zod";
import { environmentSchema, environments } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { toMajorUnits } from "../../core/money.ts";
import { movementTypes } from "../../core/movements.ts";
import { movementPeriodOf } from "../../ledger/list-transactions.ts";
import { sumMovements } from "../../ledger/sum-movements.ts";
import { SUM_WEIGHT } from "../objects/selection.ts";
import { defineOperation, READ_ONLY } from "../operation.ts";
import { v2 } from "../v2/generation.ts";

const input = z.object({
  created_gte: z.string().optional().describe("Start, inclusive: an ISO 8601 date or date-time, UTC"),
  created_lte: z.string().optional().describe("End, inclusive; a bare date ends at 23:59:59.999"),
  environment: environmentSchema.optional().describe("Left out: both, summed apart"),
});

const sumSchema = z.object({
  environment: environmentSchema,
  currency: z.string().describe("What was settled in"),
  type: z.enum(movementTypes).nullable().describe("Null if it could not be classified"),
  product_ids: z.array(z.string()).describe("The products of the links; several for a cart, none without a link"),
  count: z.int(),
  amount: z.number().describe("In major units, signed"),
  net_amount: z.number().nullable().describe("After fees; null if a fee is unknown"),
});

/**
 * For agents only: sums the movements of operation 5, so that a conversation need not contain them all. It has no path
 * of its own: over HTTP the list is available.
 */
export const sumPartnerTransactions = defineOperation(v2, {
  name: "sum-partner-processor-transactions",
  title: "Sum transactions",
  method: "transactions.sum",
  summary: "Sum your payments in a period, by currency and product",
  description: `The sums of the movements in a period, for each environment, currency, type and set of products, largest first. At most ${limits.sums.movements} movements.`,
  hint: "Use it for how much was sold, refunded or disputed in a period, such as last week by currency and product; the list is for single payments. Ruble payments are not in it. Never add up different currencies.",
  permission: "balance_view",
  key: "header_or_body",
  effect: READ_ONLY,
  weight: SUM_WEIGHT,
  input,
  output: z.object({ sums: z.array(sumSchema), count: z.int().describe("The number of summed movements") }),
  fails: [],
  example: {
    request: { created_gte: "2026-11-16", created_lte: "2026-11-22", environment: "test" },
    response: {
      sums: [
        {
          environment: "test",
          currency: "USD",
          type: "processor_payment_in",
          product_ids: ["prod_TestBook"],
          count: 12,
          amount: 228,
          net_amount: 217.9,
        },
      ],
      count: 12,
    },
  },
  environmentsOf: ({ environment }) => (environment === undefined ? environments : [environment]),
  async run({ data }, { partnerId }, { environment, ...period }) {
    const { from, to } = movementPeriodOf({ createdGte: period.created_gte, createdLte: period.created_lte });
    const isEmpty = from !== undefined && to !== undefined && from > to;
    const sums = isEmpty ? [] : await sumMovements(data, { partnerId, environment, from, to, clientReferenceId: undefined });
    return {
      sums: sums.map(({ productIds, net, ...sum }) => ({
        environment: sum.environment,
        currency: sum.currency,
        type: sum.type,
        product_ids: [...productIds],
        count: sum.count,
        amount: toMajorUnits(sum.amount, sum.currency),
        net_amount: net === null ? null : toMajorUnits(net, sum.currency),
      })),
      count: sums.reduce((total, { count }) => total + count, 0),
    };
  },
});
