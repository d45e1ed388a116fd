import type { Database } from "../db/client.ts";
import { partnerOfLink } from "../links/store.ts";
import { partnerOfId } from "../partners/store.ts";
import { partnerIn } from "../processor/attribution.ts";
import { partnerOfSubscription } from "../subscriptions/store.ts";
import { partnerOfPayment } from "./store.ts";

/** What can tell whose something is; null where it is not there. */
export interface Evidence {
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  readonly paymentIntentId: string | null;
}

/** `partnerId` is null where nothing tells, and where two things tell otherwise: `why` says which. */
export type Attribution =
  | { readonly partnerId: string; readonly why: null }
  | { readonly partnerId: null; readonly why: "unknown" | "contradictory" };

/**
 * Whose a payment or subscription is: the partner that its metadata names, whose link it was paid through, whose
 * subscription it pays for, whose the payment is known to be. All that is there must agree, for a payment shown to the
 * wrong partner is worse than one that waits for an operator; so nothing is guessed. One D1 round trip.
 */
export async function attribute(
  db: Database,
  { metadata, paymentLinkId, subscriptionId, paymentIntentId }: Evidence,
): Promise<Attribution> {
  const named = partnerIn(metadata);
  const [byMetadata, ...byRows] = await db.batch([
    partnerOfId(db, named ?? NOBODY),
    partnerOfLink(db, paymentLinkId ?? NOBODY),
    partnerOfSubscription(db, subscriptionId ?? NOBODY),
    partnerOfPayment(db, paymentIntentId ?? NOBODY),
  ]);
  // A name that nobody has is a contradiction to whatever else is known, not a gap.
  if (named !== null && byMetadata.length === 0) return { partnerId: null, why: "unknown" };
  const told = new Set([byMetadata, ...byRows].flat().flatMap(({ partnerId }) => partnerId ?? []));
  const [partnerId, ...others] = told;
  if (partnerId === undefined) return { partnerId: null, why: "unknown" };
  return others.length > 0 ? { partnerId: null, why: "contradictory" } : { partnerId, why: null };
}

/** No id of anything is empty. */
const NOBODY = "";
