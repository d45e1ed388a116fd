import { type SQL, sql } from "drizzle-orm";
import { movements } from "../../db/schema/ledger.ts";
import { IS_SALE } from "./entries.ts";

const { paymentIntentId, paymentLinkId, subscriptionId } = movements;

/** SQL for the number of payments through a link, by index: of a subscription, its first one alone counts. */
export const paidCount = (linkId: string): SQL =>
  sql`(SELECT COUNT(DISTINCT COALESCE(${subscriptionId}, ${paymentIntentId})) FROM ${movements} WHERE ${paymentLinkId} = ${linkId} AND ${IS_SALE})`;
