import { type SQL, sql } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { type Cell, inList } from "../../db/client.ts";
import type { PartnerData } from "../../db/partner-data.ts";
import { movements } from "../../db/schema/ledger.ts";
import { paidBefore } from "../../orders/of-subscriptions.ts";
import { IS_SALE } from "./entries.ts";

const { environment, partnerId, paymentIntentId, paymentLinkId, subscriptionId, transactionDate } = movements;
const MOST = limits.sums.movements;

/**
 * The payments that came through a link until now, by what tells them apart: of a subscription, all payments are one. At most `limit`.
 * One D1 round trip, by index.
 */
export async function paidThroughLink(db: Cell, linkId: string, limit: number): Promise<readonly string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT DISTINCT COALESCE(${subscriptionId}, ${paymentIntentId}) AS id
    FROM ${movements} WHERE ${paymentLinkId} = ${linkId} AND ${IS_SALE} LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** One link, or all links of a partner. */
type Sold = { readonly link: string } | { readonly partner: string; readonly environments: readonly Environment[] };

/**
 * How many payments came through each link in a period. A subscription counts once, by its first payment: renewals are none. Two D1
 * round trips to each of the partner's databases, one more if subscriptions were paid, and two more for a partner in several; by index.
 * @throws ServiceFailure `invalid_input` if the period has more than it can count
 */
export async function paidByLink(data: PartnerData, sold: Sold, { from, to }: Period): Promise<ReadonlyMap<string, number>> {
  const isOf =
    "link" in sold
      ? sql`${paymentLinkId} = ${sold.link}`
      : sql`${partnerId} = ${sold.partner} AND ${environment} IN ${inList(sold.environments)} AND ${paymentLinkId} IS NOT NULL`;
  const isIn = sql`${isOf} AND ${transactionDate} >= ${from} AND ${transactionDate} < ${to} AND ${IS_SALE}`;
  const parts = await data.sums(
    ({ db }, until) => idsIn(db, sql`${isIn} AND ${transactionDate} < ${until}`),
    async ({ db }, without) => {
      const isCounted = sql`${isIn} AND ${movements.id} NOT IN ${inList(without)}`;
      return { payments: await paymentsIn(db, isCounted), subscriptions: await subscriptionsIn(db, isCounted) };
    },
  );
  const subscriptions = new Map(parts.flatMap((part) => part.subscriptions.map(({ id, link }) => [id, link] as const)));
  if (parts.some((part) => part.payments.length > MOST || part.subscriptions.length > MOST)) {
    rejectTooMany();
  }
  if (subscriptions.size > 0) {
    const renewed = await data.each(({ db }) => paidBefore(db, [...subscriptions.keys()], from));
    for (const id of renewed.flat()) subscriptions.delete(id);
  }
  const paid = new Map<string, number>();
  const count = (link: string, more: number) => paid.set(link, (paid.get(link) ?? 0) + more);
  for (const { link, payments } of parts.flatMap((part) => part.payments)) count(link, payments);
  for (const link of subscriptions.values()) count(link, 1);
  return paid;
}

/** The number of payments without a subscription, by link. */
function paymentsIn(db: Cell, isIn: SQL) {
  return db.all<{ link: string; payments: number }>(sql`SELECT ${paymentLinkId} AS link, COUNT(DISTINCT ${paymentIntentId}) AS payments
    FROM ${movements} WHERE ${isIn} AND ${subscriptionId} IS NULL GROUP BY 1 LIMIT ${MOST + 1}`);
}

/** The subscriptions that were paid, each with its link. */
function subscriptionsIn(db: Cell, isIn: SQL) {
  return db.all<{ id: string; link: string }>(sql`SELECT DISTINCT ${subscriptionId} AS id, ${paymentLinkId} AS link
    FROM ${movements} WHERE ${isIn} AND ${subscriptionId} IS NOT NULL LIMIT ${MOST + 1}`);
}

function rejectTooMany(): never {
  rejectInput(`the period has payments of more than ${MOST} links or subscriptions: ask for a shorter one`);
}

/** The ids of the counted movements. @throws ServiceFailure `invalid_input` if there are too many */
async function idsIn(db: Cell, isIn: SQL): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT ${movements.id} AS id FROM ${movements} WHERE ${isIn} ORDER BY 1 LIMIT ${MOST + 1}`);
  if (rows.length > MOST) rejectTooMany();
  return rows.map(({ id }) => id);
}
