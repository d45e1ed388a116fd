import * as z from "zod";
import { inOrder, movementSelections } from "../../ledger/movements/search.ts";
import { findLink } from "../../links/admin/links.ts";
import { transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { movementSearch, searchOf } from "../calls/payment-search.ts";
import type { Asker } from "./define.ts";
import { BY_NUMBER, defineList } from "./list.ts";

/**
 * Whether a partner asks for another one's link. The index by link has no partner, so it must cost nothing. A link that this service did not
 * make may have brought movements of the partner's.
 */
async function isForeign({ deps, partner }: Asker, link: string | undefined): Promise<boolean> {
  if (partner === null || link === undefined) return false;
  const known = await findLink(deps, link);
  return known !== null && known.found.partnerId !== partner.caller.partnerId;
}

export const movementList = defineList({
  of: movementSelections,
  search: movementSearch,
  usual: "-transaction_date",
  about: BY_NUMBER,
  view: transactionSchema,
  owned: transactionSchema.extend({ partner_id: z.string().nullable() }),
  filterOf: async (asker, wanted) => ((await isForeign(asker, wanted.link)) ? null : searchOf(wanted)),
  viewRows: (_asker, rows) => rows.map((row) => ({ ...viewTransaction(row), partner_id: row.partnerId })),
  arrange: inOrder,
  sum: {
    movements: z.int(),
    amount: z.number().describe("Signed, before fees"),
    fee: z.number().nullable().describe("Null if one is not known"),
    net: z.number().nullable().describe("`amount` − `fee`; null if one is not known"),
  },
  viewSum: ({ count, sums: { amount, fee, withoutFee } }, major) => ({
    movements: count,
    amount: major(amount),
    fee: withoutFee > 0 ? null : major(fee),
    net: withoutFee > 0 ? null : major(amount - fee),
  }),
  partner: {
    command: "payments list",
    path: "/partner/payments",
    permission: "balance_view",
    summary: "Your money movements, newest first: payments, refunds, disputes, with filters and pages",
    example: "--environment test --status refunded",
  },
  operator: {
    summary: "Money movements with an owner, newest first: of a partner, or of all",
    example: "--partner acme --environment test --status refunded",
  },
});
