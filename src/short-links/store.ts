import type { Target } from "./target.ts";

/** A link that its limits have closed. `reference` and `receipt` are those of its payment, where it was for one alone. */
export interface ClosedLink {
  readonly partnerId: string;
  readonly closed: "paid" | "over";
  readonly reference: string | null;
  readonly receipt: string | null;
}

/** Plain SQL: see partners/read-location.ts. A link that a person disabled is not found. */
const LINK = `SELECT partner_id AS partnerId, url, closes_at AS closesAt, closed_at AS closedAt, max_payments AS maxPayments,
  (SELECT COUNT(*) FROM link_payments WHERE payment_link_id = payment_links.id AND closed_at IS NOT NULL) AS payments,
  (SELECT reference FROM link_payments WHERE payment_link_id = payment_links.id AND closed_at IS NOT NULL) AS reference,
  (SELECT receipt FROM link_payments WHERE payment_link_id = payment_links.id AND closed_at IS NOT NULL) AS receipt
  FROM payment_links WHERE slug = ? AND disabled_at IS NULL`;

interface LinkRow extends Target {
  readonly closedAt: number | null;
  readonly maxPayments: number | null;
  readonly payments: number;
  readonly reference: string | null;
  readonly receipt: string | null;
}

/** The target of a slug, or that its payments have closed it, read from a cell (the source of truth). One D1 round trip. */
export async function findTarget(cell: D1Database, slug: string): Promise<Target | ClosedLink | undefined> {
  const row = await cell.prepare(LINK).bind(slug).first<LinkRow>();
  if (row === null) return undefined;
  const { partnerId, url, closesAt, closedAt, maxPayments, payments, reference, receipt } = row;
  if (closedAt === null) return { partnerId, url, closesAt };
  // Of several payments, none is shown: whose link it was is not known.
  const isOfOne = maxPayments === 1 && payments === 1;
  return {
    partnerId,
    // Without a receipt, the payment may still be pending, or have failed.
    closed: isOfOne && receipt !== null && receipt !== "" ? "paid" : "over",
    reference: isOfOne ? reference : null,
    receipt: isOfOne && receipt !== "" ? receipt : null,
  };
}
