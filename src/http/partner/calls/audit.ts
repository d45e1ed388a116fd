import * as z from "zod";
import { auditEntries } from "../../../audit/audit-log.ts";
import { auditAnswer, auditPage, viewEntry } from "../../calls/audit-page.ts";
import { pageOf, pageQuery, periodOf, periodQuery } from "../../calls/paging.ts";
import { definePartnerCall } from "../define-call.ts";

/** The names of a partner's own keys and people, and of the service. Any other name is that of an operator. */
const OWN_NAMES = /^(?:person |holder of |agent |the service$)/;

/** What support did to a partner's own things is shown whole; of anything else it did, only that it did. */
const OWN_THINGS =
  /^(?:employee|key|grant|payment_link|promotion_code|subscription|endpoint|delivery|product|session|passkey|chat|webhook)\./;

export const auditCalls = [
  definePartnerCall({
    command: "audit list",
    method: "GET",
    path: "/partner/audit",
    permission: "owner",
    summary: "Who changed what in your account, and from what to what; newest first",
    query: z.object({ target: z.string().optional().describe("The id of what was changed"), ...periodQuery, ...pageQuery }),
    answer: pageOf(auditAnswer.extend({ actor: z.string().describe("A key, a person, `support`, or the service") })),
    example: "--since 2026-11-01",
    run({ deps, own, caller }, { query: { limit, cursor, target, ...period } }) {
      const { from, to } = periodOf(period);
      const filter = { partnerId: caller.partnerId, target, from };
      const databases = [deps.directory, ...own.data.cells.map(({ db }) => db)].map(
        (db) => (before: { readonly at: number; readonly id: number }, most: number) => auditEntries(db, filter, before, most),
      );
      return auditPage(databases, { to, limit, cursor }, (entry) => {
        const view = viewEntry(entry);
        if (OWN_NAMES.test(view.actor)) return view;
        return { ...view, actor: "support", ...(OWN_THINGS.test(view.action) ? {} : { before: null, after: null }) };
      });
    },
  }),
];
