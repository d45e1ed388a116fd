import * as z from "zod";
import type { Movement } from "../../ledger/movement.ts";
import { inOrder, movementSelections } from "../../ledger/movements/search.ts";
import { findLink } from "../../links/admin/links.ts";
import { transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { listOf } from "../calls/lists.ts";
import { movementSearch, searchOf } from "../calls/payment-search.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { type Asked, byPartner, rowQuery } from "./rows.ts";
import { newestPage, SELECTION_WEIGHT, selectionPage, selectionSums, sortQuery } from "./selection.ts";

/** Whether a partner asks for another one's link. The index by link has no partner, so it must cost nothing. */
async function isForeign({ deps, partner }: Asker, link: string | undefined): Promise<boolean> {
  if (partner === null || link === undefined) return false;
  return (await findLink(deps, link))?.found.partnerId !== partner.caller.partnerId;
}

const NEWEST = "-transaction_date";

/** What a selection of movements comes to in a settlement currency. */
const movementSum = {
  movements: z.int(),
  amount: z.number().describe("Signed, before fees"),
  fee: z.number().nullable().describe("Null if one is not known"),
  net: z.number().nullable().describe("`amount` − `fee`; null if one is not known"),
};

const viewMovement = (row: Movement) => ({ ...viewTransaction(row), partner_id: row.partnerId });

type AskedMovements = Asked & z.output<z.ZodObject<typeof movementSearch>>;

const listingOf = ({ partner, since, until, environment, limit, cursor, ...wanted }: AskedMovements) => ({
  asked: { partner, since, until, environment, limit, cursor },
  filter: searchOf(wanted),
  view: (rows: readonly Movement[]) => rows.map(viewMovement),
  arrange: inOrder,
});

export const movementsPage = async (asker: Asker, asked: AskedMovements) =>
  (await isForeign(asker, asked.link)) ? { data: [], next: null } : newestPage(asker, movementSelections, listingOf(asked));

export const paymentCalls = [
  defineForBoth({
    query: rowQuery
      .extend(movementSearch)
      .extend(sortQuery(movementSelections, NEWEST, ". `amount`: by the number, whatever the currency")),
    partner: {
      command: "payments list",
      path: "/partner/payments",
      permission: "balance_view",
      weight: SELECTION_WEIGHT,
      summary: "Your money movements, newest first: payments, refunds, disputes, with filters and pages",
      answer: listOf(transactionSchema).extend(selectionSums(movementSum)),
      example: "--environment test --status refunded",
    },
    operator: {
      role: "any",
      summary: "Money movements with an owner, newest first: of a partner, or of all",
      filters: byPartner,
      answer: listOf(transactionSchema.extend({ partner_id: z.string().nullable() })).extend(selectionSums(movementSum)),
      example: "--partner acme --environment test --status refunded",
    },
    async run(asker, { query: { sort, ...asked } }) {
      if (await isForeign(asker, asked.link)) return { data: [], next: null, count: 0, sums: [] };
      return selectionPage(asker, movementSelections, listingOf(asked), {
        sort,
        usual: NEWEST,
        viewSum: ({ count, sums: { amount, fee, withoutFee } }, major) => ({
          movements: count,
          amount: major(amount),
          fee: withoutFee > 0 ? null : major(fee),
          net: withoutFee > 0 ? null : major(amount - fee),
        }),
      });
    },
  }),
];
