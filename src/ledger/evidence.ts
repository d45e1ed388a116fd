import type { CellCode } from "../core/cell-code.ts";
import type { Database, NamedCell } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { linesIn, ownerOfLink } from "../links/store.ts";
import { latestLookAt } from "../orders/store.ts";
import { linkOfSubscription, ownerOfSubscription } from "../subscriptions/store.ts";
import { latestRefreshOf, ownerOfPayment } from "./movements/store.ts";

/** The data that identifies the owner of an object. A missing value is null. */
export interface Evidence {
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  readonly paymentIntentId: string | null;
}

/**
 * When the latest stored refresh saw the payment, and the subscription, in Unix milliseconds; null if none is stored.
 */
export interface Latest {
  readonly payment: number | null;
  readonly subscription: number | null;
}

/** The link that started the subscription, and the order reference of its checkout; null if none is stored. */
export interface SubscriptionStart {
  readonly paymentLinkId: string | null;
  readonly clientReferenceId: string | null;
}

/** The evidence in the rows of one cell. */
export interface CellRows {
  readonly cell: CellCode;
  readonly owners: readonly string[];
  /** What the link sells; null if the cell does not have the link. */
  readonly linkLines: LinkLines | null;
  readonly latest: Latest;
  readonly subscriptionStart: SubscriptionStart | null;
}

/** The lines of a link. */
export type LinkLines = ReturnType<typeof linesIn>;

/** The start of the subscription, from any of the rows. */
export function startOf(rows: readonly { readonly subscriptionStart: SubscriptionStart | null }[]): SubscriptionStart {
  const first = (field: keyof SubscriptionStart) =>
    rows.map(({ subscriptionStart }) => subscriptionStart?.[field] ?? null).find((known) => known !== null) ?? null;
  return { paymentLinkId: first("paymentLinkId"), clientReferenceId: first("clientReferenceId") };
}

/** Whether another cell may have evidence that this cell lacks. It must be asked, because it could contradict. */
export function isIncomplete({ paymentLinkId, subscriptionId, paymentIntentId }: Evidence, [location]: readonly CellRows[]): boolean {
  if (location === undefined) return true;
  const { linkLines, latest } = location;
  return (
    (paymentLinkId !== null && linkLines === null) ||
    (subscriptionId !== null && latest.subscription === null) ||
    (paymentIntentId !== null && latest.payment === null)
  );
}

/** The combined evidence of all cells of one partner. */
export interface HomeRows extends CellRows {
  /** The earlier cells that have the payment. */
  readonly held: readonly CellCode[];
}

/**
 * The evidence in a partner's cells. One D1 round trip to each, in parallel; more than one only if the partner was
 * split by time.
 */
export async function rowsAtHome(data: PartnerData<NamedCell>, evidence: Evidence): Promise<HomeRows> {
  return together(data, await data.each((own) => rowsIn(own, evidence)));
}

/** Combines the rows of a partner's cells. */
export function together(data: PartnerData<NamedCell>, found: readonly CellRows[]): HomeRows {
  const [current, ...earlier] = data.cells;
  const own = [current, ...earlier].flatMap(({ databaseName }) => found.find((rows) => rows.cell === databaseName) ?? []);
  return {
    cell: current.databaseName,
    owners: [...new Set(own.flatMap(({ owners }) => owners))],
    linkLines: own.find(({ linkLines }) => linkLines !== null)?.linkLines ?? null,
    latest: { payment: latestOfAll(own, "payment"), subscription: latestOfAll(own, "subscription") },
    subscriptionStart: own.find(({ subscriptionStart }) => subscriptionStart !== null)?.subscriptionStart ?? null,
    held: own.flatMap(({ cell, latest }) => (cell === current.databaseName || latest.payment === null ? [] : [cell])),
  };
}

function latestOfAll(rows: readonly CellRows[], of: keyof Latest): number | null {
  const seen = rows.flatMap(({ latest }) => latest[of] ?? []);
  return seen.length === 0 ? null : Math.max(...seen);
}

/** The evidence in one cell. One D1 round trip. */
export async function rowsIn({ databaseName: cell, db }: NamedCell, evidence: Evidence): Promise<CellRows> {
  const [[payment], [subscription], links, payments, [order]] = await db.batch([
    ...refreshesOf(db, evidence),
    ownerOfLink(db, evidence.paymentLinkId ?? linkOfSubscription(evidence.subscriptionId ?? NO_ID)),
    ownerOfPayment(db, evidence.paymentIntentId ?? NO_ID),
    latestLookAt(db, evidence.paymentIntentId ?? NO_ID),
  ]);
  const [link] = links;
  const owners = [subscription, ...links, ...payments, order].flatMap((row) => row?.partnerId ?? []);
  return {
    cell,
    owners,
    linkLines: link === undefined ? null : linesIn(link.items),
    // An attempt that failed has an order and no movement.
    latest: latestOf(payment?.latest == null ? order : payment, subscription),
    subscriptionStart: subscription ?? null,
  };
}

/** Queries for the last refresh of payment and subscription, and for the start of the subscription. */
export function refreshesOf(db: Database, { paymentIntentId, subscriptionId }: Evidence) {
  return [latestRefreshOf(db, paymentIntentId ?? NO_ID), ownerOfSubscription(db, subscriptionId ?? NO_ID)] as const;
}

type Stored = { readonly latest: number | null } | undefined;

export const latestOf = (payment: Stored, subscription: Stored): Latest => ({
  payment: payment?.latest ?? null,
  subscription: subscription?.latest ?? null,
});

/** Matches no row: no id is empty. */
const NO_ID = "";
