import type { Target } from "./target.ts";

/** A link that its limits have closed. `reference` and `receipt` are those of its payment, where it was for one alone. */
export interface ClosedLink {
  readonly partnerId: string;
  readonly closed: "paid" | "over";
  readonly reference: string | null;
  readonly receipt: string | null;
}

/** Plain SQL: see partners/read-location.ts. A link that a person disabled is not found. */
const LINK = `SELECT partner_id AS partnerId, url, closes_at AS closesAt, disabled_at AS disabledAt, max_payments AS maxPayments,
  paid_reference AS reference, paid_receipt AS receipt
  FROM payment_links WHERE slug = ? AND (disabled_at IS NULL OR disabled_by = 'limits')`;

interface LinkRow extends Target {
  readonly disabledAt: number | null;
  readonly maxPayments: number | null;
  readonly reference: string | null;
  readonly receipt: string | null;
}

/** The target of a slug, or that it is closed, read from a cell (the source of truth). One D1 round trip. */
export async function findTarget(cell: D1Database, slug: string): Promise<Target | ClosedLink | undefined> {
  const row = await cell.prepare(LINK).bind(slug).first<LinkRow>();
  if (row === null) return undefined;
  const { partnerId, url, closesAt, disabledAt, maxPayments, reference, receipt } = row;
  if (disabledAt === null) return { partnerId, url, closesAt };
  const isPaid = maxPayments === 1 && (closesAt === null || disabledAt < closesAt);
  return { partnerId, closed: isPaid ? "paid" : "over", reference: isPaid ? reference : null, receipt: isPaid ? receipt : null };
}
