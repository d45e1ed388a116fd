import * as z from "zod";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { paidThroughLink } from "../../ledger/movements/paid-count.ts";
import { limitLink } from "../../links/limits.ts";
import { freeCheckoutsThrough } from "../../orders/store.ts";
import { subscriptionsThrough } from "../../subscriptions/summary.ts";
import { endOf, momentField } from "../calls/moments.ts";
import { conflict } from "../calls/refusal.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import type { Asker } from "./define.ts";
import { linkDetail, NO_SHORT_LINK, requireLink, requireSold, viewDetail } from "./links.ts";
import { ownDeps, zoneOf } from "./rows.ts";

/** After what a link takes no more payments. What is left out stays as it is. */
const limitsBody = z.strictObject({
  completed_sessions: z
    .int()
    .min(1)
    .max(limits.linkLimits.payments)
    .nullable()
    .optional()
    .describe("After how many completed checkouts, whatever a subscription renews; null takes the limit away"),
  closes_at: momentField
    .nullable()
    .optional()
    .describe("Until when: to the end of a date in the partner's time zone, or to a time; null takes the end away"),
});

/** Sets what limits a link of the partner. @throws CallRefusal 404; 409 for a link without a short link, or a closed one of a rejected product; ServiceFailure `invalid_input` */
async function limitOwn(asker: Asker, id: string, { completed_sessions: sessions, closes_at: end }: z.output<typeof limitsBody>) {
  const { found, cell } = await asker.deps.pullToCurrentCell("payment_links", id, await requireLink(asker, id));
  await requireSold(asker, found);
  const closesAt = end == null ? end : endOf(end, await zoneOf(asker, found.partnerId));
  if (closesAt != null && closesAt <= asker.deps.clock.now()) {
    rejectInput("closes_at: must be in the future. To close the link now, disable it", "closes_at");
  }
  const wanted = { ...(sessions !== undefined && { maxPayments: sessions }), ...(closesAt !== undefined && { closesAt }) };
  const { data } = await ownDeps(asker, found.partnerId);
  const paidBefore = async () => {
    const most = limits.linkLimits.payments;
    const parts = await data.each(({ db }) =>
      Promise.all([
        paidThroughLink(db, id, most),
        freeCheckoutsThrough(db, found, most),
        found.mode === "subscription" ? subscriptionsThrough(db, found, most) : [],
      ]),
    );
    return [...new Set(parts.flat(2))];
  };
  const limited = await limitLink(cell, found, wanted, paidBefore, asker.actor);
  return limited === null ? conflict(NO_SHORT_LINK.partner) : viewDetail(asker, limited);
}

export const linkLimitCall = definePartnerCall({
  method: "POST",
  command: "links limit",
  path: "/partner/links/{link}/limits",
  permission: "product_create",
  summary: "Closes a payment link after so many payments, or at a time: customers who come later see that it was paid, or is closed",
  body: limitsBody,
  answer: linkDetail,
  example: "plink_0123… --completed_sessions 1",
  run: (context, { params: { link }, body }) => limitOwn({ deps: context.deps, actor: context.actor, partner: context }, link, body),
});
