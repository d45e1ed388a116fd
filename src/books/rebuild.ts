import { auditRow } from "../audit/audit-log.ts";
import { bankMovementRows } from "../bank-payments/money.ts";
import { bankOrderRows } from "../bank-payments/order-rows.ts";
import { bankPaymentsAfter, bankPaymentsOf } from "../bank-payments/walk.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { type Cell, runBatch, type Statement } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { type OrderStart, orderStarts, paymentIdsAfter } from "../ledger/movements/order-starts.ts";
import { sumsOfFreeCheckout, sumsOfPayment } from "../ledger/movements/order-sums.ts";
import { orderFactsIn } from "../ledger/order-of-snapshot.ts";
import { readSnapshot, type SnapshotDeps, snapshotKey } from "../ledger/snapshots.ts";
import { termsOfLinks } from "../links/store.ts";
import { storedItems } from "../orders/items.ts";
import { orderIdsAfter, ordersById } from "../orders/list.ts";
import { type OrderFacts, type OrderRow, upsertOrder } from "../orders/store.ts";

/** Orders of one step: each that is new reads a snapshot, and a request may read a thousand. */
const STEP = 200;

interface RebuildDeps extends SnapshotDeps {
  readonly clock: Clock;
  /** The partner's current cell. */
  readonly db: Cell;
  readonly data: PartnerData<{ readonly db: Cell }>;
}

/** An order whose row was not what its movements come to. */
export interface Mended {
  readonly id: string;
  /** The fields that differed; `missing` for an order without a row. */
  readonly fields: readonly string[];
}

/** What is compared: everything that follows from movements. */
const COMPARED = [
  "status",
  "paidAt",
  "refundedAt",
  "currency",
  "charged",
  "refunded",
  "disputed",
  "settlementCurrency",
  "fee",
  "net",
] as const;

/**
 * Makes some orders of a partner again from its movements, in the order of their ids after one, while the service sells: a row that is
 * right is not changed. An order without a row gets one, with what the stored objects of the processor say of its customer. Returns what
 * differed, and the id to go on after; null when all are done.
 */
export async function rebuildOrders(deps: RebuildDeps, partnerId: string, after: string, actor: Actor) {
  const cells = await deps.data.each(({ db }) => idsAfter(db, partnerId, after));
  const ids = [...new Set(cells.flat())].toSorted().slice(0, STEP);
  const mended = await deps.data.each(({ db }) => rebuildIn({ ...deps, db }, partnerId, ids));
  const all = mended.flat();
  if (all.length > 0) {
    const entry = { actor, action: "orders.rebuild" as const, target: partnerId, partnerId, after: { orders: all.length } };
    await runBatch(deps.db, [auditRow(deps.db, entry, deps.clock.now())]);
  }
  return { checked: ids.length, mended: all, next: ids.length < STEP ? null : (ids.at(-1) ?? null) };
}

async function idsAfter(db: Cell, partnerId: string, after: string): Promise<string[]> {
  const found = await Promise.all([
    paymentIdsAfter(db, partnerId, after, STEP),
    orderIdsAfter(db, partnerId, after, STEP),
    bankPaymentsAfter(db, partnerId, after, STEP),
  ]);
  return found.flat();
}

async function rebuildIn(deps: RebuildDeps, partnerId: string, ids: readonly string[]): Promise<Mended[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const [stored, starts, payments] = await Promise.all([
    ordersById(db, partnerId, ids),
    orderStarts(db, partnerId, ids),
    bankPaymentsOf(db, partnerId, ids),
  ]);
  const known = new Map(stored.map((order) => [order.id, order]));
  const statements: Statement[] = [];
  for (const payment of payments) {
    const isShown = known.has(payment.orderId) || payment.paymentUrl !== null || payment.paidAt !== null;
    const look = known.get(payment.orderId)?.updatedAt ?? payment.updatedAt;
    statements.push(...bankMovementRows(db, payment, null, now));
    if (isShown) statements.push(...bankOrderRows(db, payment, payment.status, null, look));
  }
  // What is known of the customer stays as it is: an erasure may have emptied it since it was read.
  const unnamed = { email: null, customerName: null, methodLabel: null };
  for (const order of stored) if (isOfCards(order)) statements.push(...upsertOrder(db, { ...order, ...unnamed }, sumsOf(order)));
  const missing = starts.filter(({ paymentIntentId }) => !known.has(paymentIntentId));
  const links = await termsOfLinks(deps.data, [...new Set(missing.flatMap(({ paymentLinkId }) => paymentLinkId ?? []))]);
  for (const start of missing) {
    const lines = start.paymentLinkId === null ? [] : (links.get(start.paymentLinkId)?.lines ?? []);
    const facts = await factsOf(deps, partnerId, start, lines.length === 0 ? null : storedItems(lines));
    statements.push(...upsertOrder(db, facts, sumsOfPayment(facts.id)));
  }
  await runBatch(db, statements);
  const made = await ordersById(db, partnerId, ids);
  return made.flatMap((order) => {
    const before = known.get(order.id);
    const fields = before === undefined ? ["missing"] : COMPARED.filter((field) => before[field] !== order[field]);
    return fields.length === 0 ? [] : [{ id: order.id, fields }];
  });
}

/** The ruble payment of another order may be in another cell: what is not here must not become nothing. */
const isOfCards = ({ id }: OrderRow): boolean => /^(?:pi|cs)_/.test(id);

/** A free checkout has no movements: it is as it was completed. */
const sumsOf = ({ id, createdAt }: OrderRow) => (id.startsWith("cs_") ? sumsOfFreeCheckout(createdAt) : sumsOfPayment(id));

async function factsOf(deps: RebuildDeps, partnerId: string, start: OrderStart, items: string | null): Promise<OrderFacts> {
  const { paymentIntentId: id, environment, clientReferenceId, paymentLinkId, subscriptionId, createdAt, currency } = start;
  const seen = orderFactsIn(await readSnapshot(deps, snapshotKey(environment, id)));
  return {
    createdAt,
    currency,
    unpaid: "pending",
    method: null,
    methodLabel: null,
    email: null,
    customerName: null,
    promotionCode: null,
    promotionCodeId: null,
    discount: 0,
    ...seen,
    id,
    partnerId,
    environment,
    clientReferenceId,
    paymentLinkId,
    subscriptionId,
    items,
    // Any later look says more.
    updatedAt: createdAt,
  };
}
