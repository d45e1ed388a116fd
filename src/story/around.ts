import { entriesOf } from "../audit/audit-log.ts";
import type { CellCode } from "../core/cell-code.ts";
import { endpointIdOf } from "../core/ids.ts";
import { askAllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell } from "../db/client.ts";
import { processorReportsOf } from "../ledger/processor-reports.ts";
import { findPartner, type PartnerRow } from "../partners/admin/partners.ts";
import { endpointsById, eventsOfSubscription, readDeliveries } from "../webhooks/admin/store.ts";
import { eventIdsOf } from "./event-ids.ts";
import { type FindDeps, inEachCell } from "./found.ts";
import type { Delivery, Endpoint, Followed, LookUps, OperatorsAct } from "./order-history.ts";

/** The events of an order with their delivery attempts. One round trip to each cell, and one for each subscription. */
export async function deliveriesOf(deps: FindDeps, order: Followed): Promise<Delivery[]> {
  const wanted = new Map<CellCode, { readonly db: Cell; readonly ids: string[] }>();
  for (const { location, ids } of await eventIdsOf(deps, order)) {
    for (const { databaseName, db } of deps.ofPartner(location).data.cells) {
      wanted.set(databaseName, { db, ids: [...(wanted.get(databaseName)?.ids ?? []), ...ids] });
    }
  }
  const found: Delivery[] = [];
  for (const [databaseName, { db, ids }] of wanted) {
    const deliveries = await askDatabase(deps, databaseName, async () => readDeliveries(db, [...ids, ...(await updatesOf(db, order))]));
    found.push(...(deliveries ?? []));
  }
  return found;
}

async function updatesOf(db: Cell, { subscriptions }: Followed): Promise<string[]> {
  const found: string[] = [];
  for (const { id, partnerId, environment } of subscriptions.values()) {
    if (partnerId !== null) found.push(...(await eventsOfSubscription(db, endpointIdOf(partnerId, environment), id)));
  }
  return found;
}

/** The processor's reports about an order's payments, and pending look-ups. One round trip per database. */
export async function processorReportsOfOrder(deps: FindDeps, { payments, subscriptions }: Followed): Promise<LookUps> {
  const subjects = [...payments.keys(), ...subscriptions.keys()];
  const found = subjects.length === 0 ? [] : await askAllDatabases(deps, (db) => processorReportsOf(db, subjects));
  return { waiting: found.flatMap(({ waiting }) => waiting), reported: found.flatMap(({ reported }) => reported) };
}

/** The webhooks that receive an order's events. One round trip to each cell. */
export async function endpointsOf(deps: FindDeps, { deliveries }: Followed): Promise<Map<string, Endpoint>> {
  const ids = [...new Set([...deliveries.values()].map(({ endpointId }) => endpointId))];
  const found = await inEachCell(deps, (db) => endpointsById(db, ids));
  return new Map(found.flatMap(({ row }) => row.map((endpoint) => [endpoint.id, endpoint])));
}

/** The partners of an order's objects. */
export async function partnersOf({ directory }: FindDeps, order: Followed): Promise<Map<string, PartnerRow>> {
  const orders = [...order.bankOrders.values()].map(({ payment }) => payment);
  const owned = [order.records, order.links, order.movements, order.subscriptions].flatMap((all) => [...all.values()]);
  const ids = new Set([...[...owned, ...orders].map((one) => one?.partnerId), ...order.named.values()].flatMap((id) => id ?? []));
  const found = await Promise.all([...ids].map((id) => findPartner(directory, id)));
  return new Map(found.flatMap((partner) => (partner === undefined ? [] : [[partner.id, partner]])));
}

/** Operators' actions on an order, its partner and its webhook. One round trip per database. */
export async function actsOn(deps: FindDeps, order: Followed, partners: ReadonlyMap<string, PartnerRow>): Promise<OperatorsAct[]> {
  const { records, links, movements, subscriptions, bankOrders, deliveries } = order;
  const targets = new Set([
    ...[records, links, movements, subscriptions, bankOrders, deliveries, partners].flatMap((all) => [...all.keys()]),
    ...order.payments.keys(),
    ...order.named.keys(),
    ...[...movements.values()].flatMap(({ sourceId }) => sourceId ?? []),
    ...[...deliveries.values()].map(({ endpointId }) => endpointId),
    ...[...bankOrders.values()].flatMap(({ notifications }) => notifications.map(({ id }) => id)),
  ]);
  return (await askAllDatabases(deps, (db) => entriesOf(db, [...targets]))).flat();
}
