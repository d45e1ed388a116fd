import { entriesOfRequest } from "../audit/audit-log.ts";
import { findOrdersNamed } from "../bank-payments/admin.ts";
import { findImport } from "../catalogue/admin/import.ts";
import { productsNamed } from "../catalogue/admin/search.ts";
import { findProduct } from "../catalogue/admin/store.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Environment, environments } from "../core/environment.ts";
import { partnerOfEndpoint } from "../core/ids.ts";
import { askAllDatabases } from "../db/all-databases.ts";
import { selectGrant } from "../grants/store.ts";
import { readRecords, recordsOfRequest } from "../idempotency/find-records.ts";
import { clientKeyText, recordIdOf } from "../idempotency/key.ts";
import { findPlatform } from "../ledger/platform-transactions.ts";
import { findLink, findLinksBySlugs } from "../links/admin/links.ts";
import { findKeysByHint, findListedKey, findPastedKey } from "../partners/admin/keys.ts";
import { findPartner, findPartnersNamed } from "../partners/admin/partners.ts";
import { allLocations } from "../partners/location-store.ts";
import { findEmployee } from "../partners/people/employees.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import { findCodesOfCoupon, findCodesWithText, findPromotionCodeRow } from "../promotions/deactivate.ts";
import { ownersOfRefusal } from "../requests/store.ts";
import { slugPattern } from "../short-links/slug.ts";
import { readDeliveries } from "../webhooks/admin/store.ts";
import { type FindDeps, type Found, inEachCell, NOTHING_KNOWN, upstreamCall } from "./found.ts";

/** An object of a partner without an environment. */
function ofPartner(kind: Found["kind"], id: string, partnerId: string): Found {
  return { ...NOTHING_KNOWN, kind, id, partnerId };
}

export function inCell(
  kind: Found["kind"],
  { id, partnerId, environment }: Pick<Found, "id" | "partnerId" | "environment">,
  cell: CellCode | null,
): Found {
  return { kind, id, partnerId, cell, environment };
}

export async function linksById(deps: FindDeps, id: string): Promise<Found[]> {
  const known = await findLink(deps, id);
  return known === null ? [] : [inCell("payment_link", known.found, null)];
}

export async function linksBySlug(deps: FindDeps, slug: string): Promise<Found[]> {
  if (!slugPattern.test(slug)) return [];
  const ofCells = await inEachCell(deps, async (db) => (await findLinksBySlugs(db, [slug]))[0]);
  return ofCells.map(({ row, cell }) => inCell("payment_link", row, cell));
}

export async function eventsById(deps: FindDeps, id: string): Promise<Found[]> {
  return viewEvents(await inEachCell(deps, async (db) => (await readDeliveries(db, [id]))[0]));
}

/** Events, with the cells that have them. */
export function viewEvents(
  found: readonly { row: { eventId: string; partnerId: string; environment: Environment }; cell: CellCode }[],
): Found[] {
  return found.map(({ row, cell }) => inCell("event", { ...row, id: row.eventId }, cell));
}

/** The card product of a processor's price. @throws ServiceFailure from the processor. */
export async function productsOfPrice(deps: FindDeps, priceId: string): Promise<Found[]> {
  const asked = environments.map((environment) => deps.processor(environment).productOfPrice(priceId, upstreamCall(deps)));
  const ids = (await Promise.all(asked)).flatMap((id) => id ?? []);
  return (await Promise.all(ids.map((id) => cardProducts(deps, id)))).flat();
}

/** A card product by its id here or at the processor. */
export async function cardProducts({ directory }: FindDeps, id: string): Promise<Found[]> {
  const product = await findProduct(directory, "card", id);
  return product?.kind === "card" ? [inCell("product", { ...product.row, id: `card/${product.row.id}` }, null)] : [];
}

export async function rubleProducts({ directory }: FindDeps, id: string): Promise<Found[]> {
  const product = await findProduct(directory, "ruble", id);
  return product === undefined ? [] : [ofPartner("product", `ruble/${product.row.id}`, product.row.partnerId)];
}

/** What is between the processor or the bank and us: it belongs to no partner. */
export async function platformTransactions({ directory }: FindDeps, id: string): Promise<Found[]> {
  const found = await findPlatform(directory, id);
  return found === undefined ? [] : [{ ...NOTHING_KNOWN, kind: "platform_transaction", id, environment: found.environment }];
}

const MOST_PRODUCTS = 10;

/** Products by their name, or a part of it. */
export async function productsByName({ directory }: FindDeps, text: string): Promise<Found[]> {
  if (text.length < 3) return [];
  const named = await productsNamed(directory, undefined, text, MOST_PRODUCTS);
  return named.map(({ kind, row }) =>
    kind === "card" ? inCell("product", { ...row, id: `card/${row.id}` }, null) : ofPartner("product", `ruble/${row.id}`, row.partnerId),
  );
}

export async function productImports({ directory }: FindDeps, id: string): Promise<Found[]> {
  const partnerIds = await findImport(directory, id);
  return partnerIds === null
    ? []
    : [{ ...NOTHING_KNOWN, kind: "product_import", id, partnerId: partnerIds.length === 1 ? (partnerIds[0] ?? null) : null }];
}

export async function promotionCodes(deps: FindDeps, id: string): Promise<Found[]> {
  const found = await inEachCell(deps, (db) => findPromotionCodeRow(db, id));
  return found.map(({ row, cell }) => inCell("promotion_code", row, cell));
}

/** Promotion codes by the text that customers enter, or by their coupon. */
export async function codesNamed(deps: FindDeps, text: string): Promise<Found[]> {
  const found = await inEachCell(deps, async (db) => [...(await findCodesWithText(db, text)), ...(await findCodesOfCoupon(db, text))]);
  return found.flatMap(({ row, cell }) => row.map((one) => inCell("promotion_code", one, cell)));
}

/** By the request id of an answer, also of one that was refused. */
export async function requestsById(deps: FindDeps, text: string): Promise<Found[]> {
  return viewRequests(await inEachCell(deps, async (db) => [...(await recordsOfRequest(db, text)), ...(await ownersOfRefusal(db, text))]));
}

/** Objects that one request changes and a search shows. */
const MOST_CHANGED = 10;

/** What a change was made to, by the request id of the answer to it. */
export async function changesOfRequest(deps: FindDeps, text: string): Promise<Found[]> {
  const found = await askAllDatabases(deps, (db) => entriesOfRequest(db, text, MOST_CHANGED));
  return found.flat().map(({ target, partnerId }) => ({ ...NOTHING_KNOWN, kind: "change", id: target, partnerId }));
}

function viewRequests(found: readonly { row: readonly { id: string; partnerId: string }[]; cell: CellCode }[]): Found[] {
  return found.flatMap(({ row, cell }) => row.map(({ id, partnerId }) => ({ ...ofPartner("request", id, partnerId), cell })));
}

/** The records that a client's key may belong to: one for each operation with keys. */
export function recordIdsOf(
  { keyedOperations }: Pick<FindDeps, "keyedOperations">,
  { partnerId, idCode }: Pick<PartnerLocation, "idCode"> & { readonly partnerId: string },
  text: string,
): Promise<string[]> {
  return Promise.all(
    keyedOperations.map(({ operation, generation: { name } }) =>
      recordIdOf(idCode, { partnerId, generation: name, operation, key: clientKeyText(name, text) }),
    ),
  );
}

/**
 * A token or key belongs to one partner and one operation. A record's id is derived from them, so each combination is
 * tried.
 */
export async function requestsByKey(deps: FindDeps, text: string): Promise<Found[]> {
  const locations = await allLocations(deps.directory);
  const ids = await Promise.all([...locations].map(([partnerId, { idCode }]) => recordIdsOf(deps, { partnerId, idCode }, text)));
  return viewRequests(await inEachCell(deps, async (db) => readRecords(db, [...ids.flat(), text])));
}

export async function endpointsById({ directory }: FindDeps, id: string): Promise<Found[]> {
  const partnerId = partnerOfEndpoint(id);
  const partner = partnerId === null ? undefined : await findPartner(directory, partnerId);
  return partner === undefined ? [] : [ofPartner("endpoint", id, partner.id)];
}

export async function keysById({ directory }: FindDeps, id: string): Promise<Found[]> {
  const key = await findListedKey(directory, id);
  return key === undefined ? [] : [ofPartner("key", id, key.partnerId)];
}

/** A key that a person pasted, found by its hash. Its id is shown, and never the key. */
export async function pastedKeys({ directory }: FindDeps, text: string): Promise<Found[]> {
  const key = await findPastedKey(directory, text);
  return key === undefined ? [] : [ofPartner("key", key.id, key.partnerId)];
}

/** Keys by their last characters, as lists show them, with or without the dots before them. */
export async function keysByHint({ directory }: FindDeps, text: string): Promise<Found[]> {
  const hint = /^(?:…|\.\.\.)?([0-9a-f]{4})$/i.exec(text)?.[1];
  if (hint === undefined) return [];
  return (await findKeysByHint(directory, hint.toLowerCase())).map((key) => ofPartner("key", key.id, key.partnerId));
}

export async function grantsById({ directory }: FindDeps, id: string): Promise<Found[]> {
  const rows = await selectGrant(directory, id);
  return rows.map(({ partnerId }) => ofPartner("grant", id, partnerId));
}

/** Partners by id, and by name or a part of it; people by id. */
export async function partnersNamed({ directory }: FindDeps, text: string): Promise<Found[]> {
  const [partner, employee, named] = await Promise.all([
    findPartner(directory, text),
    findEmployee(directory, text),
    findPartnersNamed(directory, text),
  ]);
  const ids = new Set([...(partner === undefined ? [] : [partner.id]), ...named]);
  return [
    ...[...ids].map((id) => ofPartner("partner", id, id)),
    ...(employee === undefined ? [] : [ofPartner("employee", text, employee.partnerId)]),
  ];
}

/**
 * Orders at the bank by our order id, the bank's payment id, the partner's order number or the public id; or an order
 * that only a notification mentions.
 */
export async function bankOrders(deps: FindDeps, text: string): Promise<Found[]> {
  return (await findOrdersNamed(deps, text)).map((row) => inCell("bank_order", row, row.databaseName));
}
