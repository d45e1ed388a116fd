import type { OpsCall } from "../define-call.ts";
import { auditCalls } from "./audit.ts";
import { bankCalls } from "./bank.ts";
import { cellCalls } from "./cells.ts";
import { deliveryCalls } from "./deliveries.ts";
import { employeeCalls } from "./employees.ts";
import { endpointCalls } from "./endpoints.ts";
import { figureCalls } from "./figures.ts";
import { grantCalls } from "./grants.ts";
import { healthCalls } from "./health.ts";
import { importCalls } from "./imports.ts";
import { keyCalls } from "./keys.ts";
import { ledgerCalls } from "./ledger.ts";
import { linkCalls } from "./links.ts";
import { moveCalls } from "./moves.ts";
import { noteCalls } from "./notes.ts";
import { operatorCalls } from "./operators.ts";
import { partnerCalls } from "./partners.ts";
import { paymentCalls } from "./payments.ts";
import { productCalls } from "./products.ts";
import { promotionCodeCalls } from "./promotion-codes.ts";
import { recoveryCalls } from "./recovery.ts";
import { requestCalls } from "./requests.ts";
import { storyCalls } from "./story.ts";
import { subscriptionCalls } from "./subscriptions.ts";
import { viewCalls } from "./view.ts";

/** All operators' calls, by task: from daily work on orders to one-time setup. */
export const opsCalls: readonly OpsCall[] = [
  ...storyCalls,
  ...paymentCalls,
  ...noteCalls,
  ...partnerCalls,
  ...viewCalls,
  ...requestCalls,
  ...employeeCalls,
  ...keyCalls,
  ...grantCalls,
  ...productCalls,
  ...importCalls,
  ...linkCalls,
  ...promotionCodeCalls,
  ...subscriptionCalls,
  ...endpointCalls,
  ...deliveryCalls,
  ...ledgerCalls,
  ...bankCalls,
  ...figureCalls,
  ...healthCalls,
  ...cellCalls,
  ...moveCalls,
  ...recoveryCalls,
  ...auditCalls,
  ...operatorCalls,
];
