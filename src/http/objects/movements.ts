import * as z from "zod";
import type { Movement } from "../../ledger/movement.ts";
import { inOrder, movementSelections, searchMovements } from "../../ledger/movements/search.ts";
import { findLink } from "../../links/admin/links.ts";
import { transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { listOf, viewPage } from "../calls/lists.ts";
import { movementSearch, searchOf } from "../calls/payment-search.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { type Asked, byPartner, pageFor, rowQuery } from "./rows.ts";
import { SELECTION_WEIGHT, selectionPage, selectionSums, sortQuery } from "./selection.ts";

/** Whether a partner asks for another one's link. The index by link has no partner, so it must cost nothing. */
async function isForeign({ deps, partner }: Asker, link: string | undefined): Promise<boolean> {
  if (partner === null || link === undefined) return false;
  return (await findLink(deps, link))?.found.partnerId !== partner.caller.partnerId;
}

const NEWEST = "-transaction_date";

/** What a selection of movements comes to in a settlement currency. */
const movementSum = z.object({
  currency: z.string(),
  movements: z.int(),
  amount: z.number().describe("Signed, before fees"),
  net: z.number().nullable().describe("After fees; null if one is not known"),
});

const viewMovement = (row: Movement) => ({ ...viewTransaction(row), partner_id: row.partnerId });

type AskedMovements = Asked & z.output<z.ZodObject<typeof movementSearch>>;

export const movementsPage = async (asker: Asker, asked: AskedMovements) =>
  (await isForeign(asker, asked.link)) ? { data: [], next: null } : newestMovements(asker, asked);

async function newestMovements(asker: Asker, { partner, since, until, environment, limit, cursor, ...wanted }: AskedMovements) {
  const asked = { partner, since, until, environment, limit, cursor };
  const search = searchOf(wanted);
  const page = await pageFor(asker, asked, (data, list) => searchMovements(data, list, search));
  return viewPage({ ...page, rows: inOrder(page.rows) }, viewMovement);
}

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
    async run(asker, { query: { partner, since, until, environment, limit, cursor, sort, ...wanted } }) {
      if (await isForeign(asker, wanted.link)) return { data: [], next: null, count: 0, sums: [] };
      const asked = { partner, since, until, environment, limit, cursor };
      return selectionPage(asker, movementSelections, {
        asked: { ...asked, sort },
        filter: searchOf(wanted),
        usual: NEWEST,
        newest: () => newestMovements(asker, { ...asked, ...wanted }),
        view: (rows) => rows.map(viewMovement),
        viewSum: ({ currency, count, sums: { amount, net, withoutFee } }, major) => ({
          currency,
          movements: count,
          amount: major(amount),
          net: withoutFee > 0 ? null : major(net),
        }),
      });
    },
  }),
];
