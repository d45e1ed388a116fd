import * as z from "zod";
import type { Environment } from "../../../core/environment.ts";
import { rejectInput } from "../../../core/errors.ts";
import { toMinorUnits } from "../../../core/money.ts";
import { movementStatuses, movementTypes } from "../../../core/movements.ts";
import { searchMovements } from "../../../ledger/search-movements.ts";
import { findLink, type ListedLink } from "../../../links/admin/links.ts";
import { transactionSchema, viewTransaction } from "../../../views/transaction.ts";
import { periodOf, periodQuery } from "../../calls/paging.ts";
import { definePartnerCall } from "../define-call.ts";
import { listOf, ownList, ownListQuery, viewPage } from "../lists.ts";

const text = z.string().min(1, "must not be empty").max(250).optional();
const amount = z.coerce.number("must be a number").nonnegative("must not be negative").optional();

export const paymentCalls = [
  definePartnerCall({
    command: "payments list",
    method: "GET",
    path: "/partner/payments",
    permission: "balance_view",
    summary: "Your money movements, newest first: payments, refunds, disputes, as operation 5 lists them, with more filters and pages",
    query: ownListQuery.extend({
      payment: text.describe("Only movements of this payment: `pi_…`"),
      reference: text.describe("Only movements with your order reference"),
      link: text.describe("Only movements through this link: `plink_…`"),
      subscription: text.describe("Only movements of this subscription: `sub_…`"),
      type: z.enum(movementTypes).optional(),
      status: z.enum(movementStatuses).optional(),
      currency: z
        .string()
        .regex(/^[A-Za-z]{3}$/, "must be a currency of three letters, such as USD")
        .transform((code) => code.toUpperCase())
        .optional()
        .describe("Only movements that were settled in this currency"),
      amount_from: amount.describe("At least this much, in major units and without a sign; with `currency`"),
      amount_to: amount.describe("At most this much, in major units and without a sign; with `currency`"),
      ...periodQuery,
    }),
    answer: listOf(transactionSchema),
    example: "--environment test --status refunded",
    async run({ deps, own, caller }, { query }) {
      // The index by link has no partner: another one's link must cost nothing.
      const link = query.link === undefined ? null : await findLink(deps, query.link);
      if (query.link !== undefined && !isOwnLink(link?.found, caller.partnerId, query.environment)) return { data: [], next: null };
      const { since, until, amount_from, amount_to, environment, limit, cursor, ...wanted } = query;
      const search = {
        ...wanted,
        period: periodOf({ since, until }),
        amountFrom: minorOf("amount_from", amount_from, query.currency),
        amountTo: minorOf("amount_to", amount_to, query.currency),
      };
      return viewPage(await searchMovements(own.data, ownList(caller, { environment, limit, cursor }), search), viewTransaction);
    },
  }),
];

const isOwnLink = (link: ListedLink | undefined, partnerId: string, environment: Environment) =>
  link?.partnerId === partnerId && link.environment === environment;

/** @throws ServiceFailure `invalid_input` without a currency, which says how many decimals an amount has. */
function minorOf(field: string, major: number | undefined, currency: string | undefined): number | undefined {
  if (major === undefined) return undefined;
  if (currency === undefined) return rejectInput(`${field}: needs \`currency\`, such as USD`, field);
  return toMinorUnits(major, currency);
}
