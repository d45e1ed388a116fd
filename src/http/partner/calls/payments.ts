import type { Environment } from "../../../core/environment.ts";
import { searchMovements } from "../../../ledger/search-movements.ts";
import { findLink, type ListedLink } from "../../../links/admin/links.ts";
import { transactionSchema, viewTransaction } from "../../../views/transaction.ts";
import { listOf, ownListQuery, ownPage } from "../../calls/lists.ts";
import { periodOf, periodQuery } from "../../calls/paging.ts";
import { isUncut, movementSearch, paymentTotals, searchOf, viewMovements } from "../../calls/payment-search.ts";
import { definePartnerCall } from "../define-call.ts";

export const paymentCalls = [
  definePartnerCall({
    command: "payments list",
    method: "GET",
    path: "/partner/payments",
    permission: "balance_view",
    summary: "Your money movements, newest first: payments, refunds, disputes, as operation 5 lists them, with more filters and pages",
    query: ownListQuery.extend({ ...movementSearch, ...periodQuery }),
    answer: listOf(transactionSchema).extend(paymentTotals),
    example: "--environment test --status refunded",
    async run({ deps, own, caller }, { query }) {
      // The index by link has no partner: another one's link must cost nothing.
      const link = query.link === undefined ? null : await findLink(deps, query.link);
      if (query.link !== undefined && !isOwnLink(link?.found, caller.partnerId, query.environment))
        return { data: [], next: null, totals: null };
      const { since, until, environment, limit, cursor, ...wanted } = query;
      const search = searchOf(wanted);
      const page = await ownPage(caller, { environment, limit, cursor }, (list) =>
        searchMovements(own.data, { ...list, period: periodOf({ since, until }) }, search),
      );
      return viewMovements(page, { wanted, isFirst: isUncut(query) }, viewTransaction);
    },
  }),
];

const isOwnLink = (link: ListedLink | undefined, partnerId: string, environment: Environment | undefined) =>
  link?.partnerId === partnerId && (environment === undefined || link.environment === environment);
