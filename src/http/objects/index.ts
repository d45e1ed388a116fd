import type { OpsCall } from "../ops/define-call.ts";
import type { PartnerCall } from "../partner/define-call.ts";
import { agentCalls } from "./agents.ts";
import { auditCalls } from "./audit.ts";
import { balanceCalls } from "./balance.ts";
import { bankPaymentCalls } from "./bank-payments.ts";
import { confirmationCalls } from "./confirmations.ts";
import { deliveryCalls } from "./deliveries.ts";
import { disputeCalls } from "./disputes.ts";
import { eventCalls } from "./events.ts";
import { exportCalls } from "./exports.ts";
import { figureCalls } from "./figures.ts";
import { findCalls } from "./find.ts";
import { keyCalls } from "./keys.ts";
import { linkFunnelCall } from "./link-funnel.ts";
import { linkLimitCall } from "./link-limits.ts";
import { linkReportCall } from "./link-report.ts";
import { linkCalls } from "./links.ts";
import { paymentCalls } from "./movements.ts";
import { orderCalls } from "./orders.ts";
import { payoutCalls } from "./payouts.ts";
import { peopleCalls } from "./people.ts";
import { productCalls } from "./products.ts";
import { promotionCodeCalls } from "./promotion-codes.ts";
import { reportCalls } from "./reports.ts";
import { requestCalls } from "./requests.ts";
import { settingsCalls } from "./settings.ts";
import { statementCalls } from "./statements.ts";
import { storyCalls } from "./story.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { webhookCalls } from "./webhooks.ts";

/** A call of one audience, or the two calls of one definition. */
interface AudienceCalls {
  readonly partner?: PartnerCall;
  readonly operator?: OpsCall;
}

/** The calls of every object that partners and operators look at, by object. */
const objects: readonly (readonly AudienceCalls[])[] = [
  storyCalls,
  findCalls,
  orderCalls,
  [...reportCalls, linkReportCall],
  balanceCalls,
  statementCalls,
  payoutCalls,
  exportCalls,
  settingsCalls,
  paymentCalls,
  disputeCalls,
  requestCalls,
  [...linkCalls, linkLimitCall, linkFunnelCall],
  promotionCodeCalls,
  bankPaymentCalls,
  subscriptionCalls,
  productCalls,
  webhookCalls,
  deliveryCalls,
  eventCalls,
  figureCalls,
  keyCalls,
  agentCalls,
  confirmationCalls,
  peopleCalls,
  auditCalls,
];

export const partnersObjectCalls: readonly PartnerCall[] = objects.flat().flatMap(({ partner }) => partner ?? []);
export const operatorsObjectCalls: readonly OpsCall[] = objects.flat().flatMap(({ operator }) => operator ?? []);

/** The paths of the calls that both have: of the partner's, the operators'. The dashboard's pages of objects are drawn for both. */
export const operatorsPaths: Readonly<Record<string, string>> = Object.fromEntries(
  objects.flat().flatMap(({ partner, operator }) => (partner && operator ? [[partner.path, operator.path]] : [])),
);
