import type { PartnerCall } from "../define-call.ts";
import { deliveryCalls } from "./deliveries.ts";
import { figureCalls } from "./figures.ts";
import { productCalls } from "./products.ts";
import { webhookCalls } from "./webhooks.ts";

/** All calls of partners, by task. */
export const partnerCalls: readonly PartnerCall[] = [...webhookCalls, ...deliveryCalls, ...productCalls, ...figureCalls];
