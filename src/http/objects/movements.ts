import * as z from "zod";
import { inOrder, searchMovements } from "../../ledger/movements/search.ts";
import { findLink } from "../../links/admin/links.ts";
import { transactionSchema, viewTransaction } from "../../views/transaction.ts";
import { listOf, viewPage } from "../calls/lists.ts";
import { movementSearch, searchOf } from "../calls/payment-search.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { type Asked, byPartner, pageFor, rowQuery } from "./rows.ts";

/** Whether a partner asks for another one's link. The index by link has no partner, so it must cost nothing. */
async function isForeign({ deps, partner }: Asker, link: string | undefined): Promise<boolean> {
  if (partner === null || link === undefined) return false;
  return (await findLink(deps, link))?.found.partnerId !== partner.caller.partnerId;
}

type AskedMovements = Asked & z.output<z.ZodObject<typeof movementSearch>>;

export async function movementsPage(asker: Asker, { partner, since, until, environment, limit, cursor, ...wanted }: AskedMovements) {
  if (await isForeign(asker, wanted.link)) return { data: [], next: null };
  const asked = { partner, since, until, environment, limit, cursor };
  const search = searchOf(wanted);
  const page = await pageFor(asker, asked, (data, list) => searchMovements(data, list, search));
  return viewPage({ ...page, rows: inOrder(page.rows) }, (row) => ({ ...viewTransaction(row), partner_id: row.partnerId }));
}

export const paymentCalls = [
  defineForBoth({
    method: "GET",
    query: rowQuery.extend(movementSearch),
    partner: {
      command: "payments list",
      path: "/partner/payments",
      permission: "balance_view",
      summary: "Your money movements, newest first: payments, refunds, disputes, with filters and pages",
      answer: listOf(transactionSchema),
      example: "--environment test --status refunded",
    },
    operator: {
      command: "payments list",
      path: "/ops/payments",
      role: "any",
      summary: "Money movements with an owner, newest first: of a partner, or of all",
      filters: byPartner,
      answer: listOf(transactionSchema.extend({ partner_id: z.string().nullable() })),
      example: "--partner acme --environment test --status refunded",
    },
    run: (asker, { query }) => movementsPage(asker, query),
  }),
];
