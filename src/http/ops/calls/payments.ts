import * as z from "zod";
import { searchMovements } from "../../../ledger/search-movements.ts";
import { transactionSchema, viewTransaction } from "../../../views/transaction.ts";
import { listOf, ownListQuery } from "../../calls/lists.ts";
import { periodQuery } from "../../calls/paging.ts";
import { isUncut, movementSearch, paymentTotals, searchOf, viewMovements } from "../../calls/payment-search.ts";
import { defineCall } from "../define-call.ts";
import { listed } from "../list-data.ts";

export const paymentCalls = [
  defineCall({
    command: "payments list",
    method: "GET",
    path: "/ops/payments",
    role: "any",
    summary: "Money movements with an owner, newest first: of a partner, or of all",
    query: ownListQuery.extend({ partner: z.string().optional(), ...movementSearch, ...periodQuery }),
    answer: listOf(transactionSchema.extend({ partner_id: z.string().nullable() })).extend(paymentTotals),
    example: "--partner acme --environment test --status refunded",
    async run({ deps }, { query: { partner, since, until, environment, limit, cursor, ...wanted } }) {
      const search = searchOf(wanted);
      const asked = { partner, since, until, environment, limit, cursor };
      const page = await listed(deps, asked, (data, list) => searchMovements(data, list, search));
      return viewMovements(page, { wanted, isFirst: isUncut(asked) }, (row) => ({ ...viewTransaction(row), partner_id: row.partnerId }));
    },
  }),
];
