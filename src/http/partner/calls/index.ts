import type { PartnerCall } from "../define-call.ts";
import { agentCalls } from "./agents.ts";
import { auditCalls } from "./audit.ts";
import { bankPaymentCalls } from "./bank-payments.ts";
import { chatCalls } from "./chat.ts";
import { deliveryCalls } from "./deliveries.ts";
import { figureCalls } from "./figures.ts";
import { keyCalls } from "./keys.ts";
import { linkCalls } from "./links.ts";
import { operationCalls } from "./operations.ts";
import { paymentCalls } from "./payments.ts";
import { peopleCalls } from "./people.ts";
import { productCalls } from "./products.ts";
import { promotionCodeCalls } from "./promotion-codes.ts";
import { requestCalls } from "./requests.ts";
import { sessionCalls } from "./session.ts";
import { storyCalls } from "./story.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { webhookCalls } from "./webhooks.ts";

/** All calls of partners, by task. */
export const partnerCalls: readonly PartnerCall[] = [
  ...webhookCalls,
  ...deliveryCalls,
  ...chatCalls,
  ...paymentCalls,
  ...storyCalls,
  ...requestCalls,
  ...linkCalls,
  ...promotionCodeCalls,
  ...bankPaymentCalls,
  ...subscriptionCalls,
  ...productCalls,
  ...figureCalls,
  ...keyCalls,
  ...agentCalls,
  ...peopleCalls,
  ...auditCalls,
  ...sessionCalls,
  ...operationCalls,
];
