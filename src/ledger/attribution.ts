import type { Database } from "../db/client.ts";
import { ownerOfLink } from "../links/store.ts";
import { selectPartner } from "../partners/store.ts";
import { partnerIdIn } from "../processor/attribution.ts";
import { ownerOfSubscription } from "../subscriptions/store.ts";
import { latestRefreshOf, ownerOfPayment } from "./store.ts";

/** The data that can identify the owner of an object. A missing value is null. */
export interface Evidence {
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  readonly paymentIntentId: string | null;
}

/** `partnerId` is null if nothing shows the owner (yet), or the evidence names no partner of ours, or contradicts itself. */
export type Attribution =
  | { readonly partnerId: string; readonly why: null }
  | { readonly partnerId: null; readonly why: "unknown" | "no_such_partner" | "contradictory" };

/** When the latest stored refresh saw the payment, and the subscription, in Unix milliseconds; null if none is stored. */
export interface Latest {
  readonly payment: number | null;
  readonly subscription: number | null;
}

/**
 * Finds the owner of a payment or subscription. The evidence is the partner in its metadata, the owner of the link it
 * was paid through, the owner of the subscription it pays for, and the known owner of the payment. All evidence must
 * agree, because a payment shown to the wrong partner is worse than one that waits for an operator. Nothing is guessed.
 * Also gives when the latest stored refresh saw it. One D1 round trip.
 */
export async function attribute(
  db: Database,
  { metadata, paymentLinkId, subscriptionId, paymentIntentId }: Evidence,
): Promise<{ readonly attribution: Attribution; readonly latest: Latest }> {
  const named = partnerIdIn(metadata);
  const [byMetadata, [payment], bySubscription, ...byRows] = await db.batch([
    selectPartner(db, named ?? NO_ID),
    latestRefreshOf(db, paymentIntentId ?? NO_ID),
    ownerOfSubscription(db, subscriptionId ?? NO_ID),
    ownerOfLink(db, paymentLinkId ?? NO_ID),
    ownerOfPayment(db, paymentIntentId ?? NO_ID),
  ]);
  const latest = { payment: payment?.latest ?? null, subscription: bySubscription[0]?.latest ?? null };
  return { attribution: decide(named, byMetadata, [bySubscription, ...byRows]), latest };
}

type Owners = readonly { readonly partnerId: string | null }[];

function decide(named: string | null, byMetadata: Owners, byRows: readonly Owners[]): Attribution {
  // If the metadata names a partner that does not exist, this contradicts all other evidence. It is not missing data.
  if (named !== null && byMetadata.length === 0) return { partnerId: null, why: "no_such_partner" };
  const owners = new Set([byMetadata, ...byRows].flat().flatMap(({ partnerId }) => partnerId ?? []));
  const [partnerId, ...others] = owners;
  if (partnerId === undefined) return { partnerId: null, why: "unknown" };
  return others.length > 0 ? { partnerId: null, why: "contradictory" } : { partnerId, why: null };
}

/** Matches no row: no id is empty. */
const NO_ID = "";
