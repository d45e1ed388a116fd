import type { OpsCall } from "../ops/define-call.ts";
import type { PartnerCall } from "../partner/define-call.ts";
import { agentCalls } from "./agents.ts";
import { auditCalls } from "./audit.ts";
import { balanceCalls } from "./balance.ts";
import { bankPaymentCalls } from "./bank-payments.ts";
import { confirmationCalls } from "./confirmations.ts";
import type { BothCalls } from "./define.ts";
import { deliveryCalls } from "./deliveries.ts";
import { disputeList } from "./disputes.ts";
import { eventCalls } from "./events.ts";
import { exportCalls } from "./exports.ts";
import { figureCalls } from "./figures.ts";
import { findCalls } from "./find.ts";
import { keyCalls } from "./keys.ts";
import { linkFunnelCall } from "./link-funnel.ts";
import { linkLimitCall } from "./link-limits.ts";
import { linkReportCall } from "./link-report.ts";
import { linkCalls } from "./links.ts";
import { movementList } from "./movements.ts";
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
import { webhookHealthCalls } from "./webhook-health.ts";
import { operatorsWebhookCalls } from "./webhooks-of-operators.ts";
import { partnersWebhookCalls } from "./webhooks-of-partners.ts";

/** A call of one audience, or the two calls of one definition. */
type ObjectCall = PartnerCall | OpsCall | BothCalls;

/** The calls of every object that partners and operators look at, by object. */
const objects: readonly (readonly ObjectCall[])[] = [
  storyCalls,
  findCalls,
  orderCalls,
  [...reportCalls, linkReportCall],
  balanceCalls,
  statementCalls,
  payoutCalls,
  exportCalls,
  settingsCalls,
  [movementList.calls, disputeList.calls],
  requestCalls,
  [...linkCalls, linkLimitCall, linkFunnelCall],
  promotionCodeCalls,
  bankPaymentCalls,
  subscriptionCalls,
  productCalls,
  // A partner looks after its webhooks by environment; an operator after those of all partners, by id. They share one call.
  [...webhookHealthCalls, ...partnersWebhookCalls, ...operatorsWebhookCalls],
  deliveryCalls,
  eventCalls,
  figureCalls,
  keyCalls,
  agentCalls,
  confirmationCalls,
  peopleCalls,
  auditCalls,
];

const calls = objects.flat();
const pairs = calls.flatMap((call) => ("partner" in call ? [call] : []));

export const partnersObjectCalls: readonly PartnerCall[] = calls.flatMap((call) =>
  "partner" in call ? [call.partner] : "permission" in call ? [call] : [],
);
export const operatorsObjectCalls: readonly OpsCall[] = calls.flatMap((call) =>
  "operator" in call ? [call.operator] : "role" in call ? [call] : [],
);

/** The paths of the calls that both have: of the partner's, the operators'. The dashboard's pages of objects are drawn for both. */
export const operatorsPaths: Readonly<Record<string, string>> = Object.fromEntries(
  pairs.map(({ partner, operator }) => [partner.path, operator.path]),
);
