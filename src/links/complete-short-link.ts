import type { Database } from "../db/client.ts";
import { completeByHand, type OperationObjects } from "../idempotency/client.ts";
import { productLinkWork } from "./create-product-link.ts";
import { findRecordOfLink } from "./store.ts";

/**
 * Gives the short link to a product's payment link that has waited for one since the short-link service failed
 * (interface, v1 idempotency table, "awaiting manual completion"): for support, on a partner's behalf. The partner's
 * repeat then succeeds. Nothing is made at the processor, and asking again gives the same slug.
 * @returns the slug; null where there is no such link, or it was not made by operation 1.
 * @throws ServiceFailure `short_link_unavailable` where it fails once more: the link goes on waiting.
 */
export async function completeShortLinkByHand(
  tools: { readonly db: Database; readonly operationObjects: OperationObjects },
  paymentLinkId: string,
): Promise<string | null> {
  const recordId = await findRecordOfLink(tools.db, paymentLinkId);
  if (recordId === null) return null;
  const link = await completeByHand(tools, productLinkWork, recordId);
  // A record that has begun anew since speaks of a later link; the earlier one had got its own.
  return link?.paymentLinkId === paymentLinkId ? link.slug : null;
}
