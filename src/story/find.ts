import { findOrderIds } from "../bank-payments/admin.ts";
import { findProduct } from "../catalogue/admin/store.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import { type Environment, environments } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { partnerOfEndpoint } from "../core/ids.ts";
import { limits } from "../core/limits.ts";
import type { Cell, Directory } from "../db/client.ts";
import { askEverywhere, askPlace, type Everywhere } from "../db/everywhere.ts";
import type { FindAnywhere } from "../db/find-row.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { selectGrant } from "../grants/store.ts";
import { readRecords, recordsOfRequest } from "../idempotency/find-records.ts";
import { clientKeyText, recordIdOf } from "../idempotency/key.ts";
import type { Generation } from "../idempotency/protocol.ts";
import { type KnownPayment, paymentsById, paymentsByReference, paymentsOfMovement } from "../ledger/known-payments.ts";
import { sourceOfId } from "../ledger/sources.ts";
import { findLink, findLinkBySlug } from "../links/admin/links.ts";
import { findListedKey } from "../partners/admin/keys.ts";
import { findEmployee, findPartner } from "../partners/admin/partners.ts";
import { allHomes, type Home } from "../partners/store.ts";
import { partnerIdIn } from "../processor/attribution.ts";
import type { Processor } from "../processor/port.ts";
import { findActiveCodes, findPromotionCodeRow } from "../promotions/deactivate.ts";
import { slugPattern } from "../short-links/slug.ts";
import { readSubscription } from "../subscriptions/store.ts";
import { eventsOfCheckouts } from "../webhooks/admin/free-checkouts.ts";
import { readDeliveries } from "../webhooks/admin/store.ts";
import { checkoutEventId } from "../webhooks/outbox/events/checkout-completed.ts";
import type { Recipient } from "../webhooks/outbox/events/define-event.ts";

/** The kinds of things that an operator can look for. */
type FoundKind =
  | "partner"
  | "employee"
  | "key"
  | "grant"
  | "product"
  | "payment_link"
  | "payment"
  | "subscription"
  | "bank_order"
  | "event"
  | "endpoint"
  | "promotion_code"
  | "request";

/** Something that a text belongs to. `id` is what the calls of its kind take. */
export interface Found {
  readonly kind: FoundKind;
  readonly id: string;
  readonly partnerId: string | null;
  /** The cell that has it; null for what is in the directory. */
  readonly cell: CellCode | null;
  readonly environment: Environment | null;
}

export interface FindDeps extends Everywhere {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly everyCell: () => readonly { readonly place: CellCode; readonly db: Cell }[];
  readonly ofPartner: (home: Home) => { readonly data: PartnerData<{ readonly place: CellCode; readonly db: Cell }> };
  readonly findAnywhere: FindAnywhere<{ readonly db: Cell }>;
  /** All operations that have keys, with their generation. */
  readonly keyedOperations: readonly { readonly operation: string; readonly generation: Generation }[];
  processor(environment: Environment): Processor;
}

/** Payments of one buyer, or one order reference, that are shown. */
const MAX_PAYMENTS = 20;

/**
 * What a text belongs to: an id of any kind, a slug or a short URL, an order reference, a client token or an idempotency
 * key, a bank order, or a buyer's address, which only the processor knows. Bounded queries, each by an index.
 * @throws ServiceFailure from the processor, for an address.
 */
export async function find(deps: FindDeps, text: string): Promise<Found[]> {
  const wanted = lastSegment(text.trim());
  if (wanted === "") return [];
  if (wanted.includes("@")) return paymentsOfBuyer(deps, wanted);
  const byPrefix = FINDERS.find(([pattern]) => pattern.test(wanted));
  const named = byPrefix === undefined ? [] : await byPrefix[1](deps, wanted);
  if (named.length > 0) return named;
  // A partner's own token or order number may begin like one of our ids.
  const all = [
    partnersNamed,
    linksBySlug,
    bankOrders,
    paymentsNamed,
    checkoutsNamed,
    requestsByKey,
    requestsById,
    codesNamed,
    rubleProducts,
  ];
  const found = [];
  for (const one of all) found.push(...(await one(deps, wanted)));
  return found;
}

/** A short URL is looked for by its slug, also without its beginning. */
function lastSegment(text: string): string {
  const [host = "", slug = "", ...more] = text.split("/");
  if (host.includes(".") && slugPattern.test(slug) && more.length === 0) return slug;
  if (!/^https?:\/\//i.test(text)) return text;
  return URL.canParse(text) ? (new URL(text).pathname.split("/").findLast((part) => part !== "") ?? "") : text;
}

type Finder = (deps: FindDeps, wanted: string) => Promise<Found[]>;

const nothing = { partnerId: null, cell: null, environment: null } as const;

const FINDERS: readonly (readonly [RegExp, Finder])[] = [
  [/^plink_/, linksById],
  [/^pi_/, async (deps, id) => viewPayments(await askEverywhere(deps, (db) => paymentsById(db, id)))],
  [/^sub_/, subscriptionsById],
  [/^evt_/, eventsById],
  [/^(card|prod)_/, cardProducts],
  [/^promo_/, promotionCodes],
  [/^key_/, keysById],
  [/^grant_/, grantsById],
  [/^ep_/, endpointsById],
  [/^(processor:)?txn_/, movementsById],
  // Which payment a charge, a refund, a dispute, a checkout or an invoice belongs to, only the processor can tell.
  [/^(ch|py|re|pyr|du|dp|cs|in)_/, paymentsOfObject],
];

async function linksById(deps: FindDeps, id: string): Promise<Found[]> {
  const known = await findLink(deps, id);
  return known === null ? [] : [linkOf(known.found)];
}

function linkOf({ id, partnerId, environment }: { id: string; partnerId: string; environment: Environment }): Found {
  return { kind: "payment_link", id, partnerId, cell: null, environment };
}

async function linksBySlug(deps: FindDeps, slug: string): Promise<Found[]> {
  if (!slugPattern.test(slug)) return [];
  const ofCells = await inEachCell(deps, (db) => findLinkBySlug(db, slug));
  return ofCells.map(({ row, cell }) => ({ ...linkOf(row), cell }));
}

async function inEachCell<Row>(deps: FindDeps, ask: (db: Cell) => Promise<Row | undefined>): Promise<{ row: Row; cell: CellCode }[]> {
  const found = [];
  for (const { place: cell, db } of deps.everyCell()) {
    const row = await askPlace(deps, cell, () => ask(db));
    if (row !== undefined && row !== null) found.push({ row, cell });
  }
  return found;
}

function viewPayments(found: readonly (readonly KnownPayment[])[]): Found[] {
  const byId = new Map(found.flat().map((payment) => [payment.paymentIntentId, payment]));
  return [...byId]
    .flatMap(([id, { environment, partnerId }]) =>
      id === null ? [] : [{ ...nothing, kind: "payment" as const, id, environment, partnerId }],
    )
    .slice(0, MAX_PAYMENTS);
}

async function paymentsNamed(deps: FindDeps, reference: string): Promise<Found[]> {
  const partnerIds = [...(await allHomes(deps.directory)).keys()];
  return viewPayments(await askEverywhere(deps, (db) => paymentsByReference(db, partnerIds, reference)));
}

async function paymentsOfBuyer(deps: FindDeps, email: string): Promise<Found[]> {
  const call = { deadline: new Deadline(deps.clock, limits.upstream.seconds * SECOND) };
  const found = await Promise.all(
    environments.map(async (environment) => {
      const payments = await deps.processor(environment).findPaymentsOfBuyer(email, deps.clock.now(), MAX_PAYMENTS, call);
      return payments.map((payment) => ({ environment, partnerId: null, ...payment }));
    }),
  );
  return viewPayments(found);
}

async function paymentsOfObject(deps: FindDeps, id: string): Promise<Found[]> {
  const source = sourceOfId(id);
  if (source === null) return [];
  const checkouts: (Recipient & { readonly sessionId: string })[] = [];
  const found = await Promise.all(
    environments.map(async (environment) => {
      const call = { deadline: new Deadline(deps.clock, limits.upstream.seconds * SECOND) };
      try {
        const { paymentIntentId, freeCheckout, metadata } = await deps.processor(environment).retrieve(source, call);
        if (freeCheckout !== null) checkouts.push({ environment, partnerId: partnerIdIn(metadata) ?? "", sessionId: freeCheckout.id });
        return paymentIntentId === null ? [] : await askEverywhere(deps, (db) => paymentsById(db, paymentIntentId));
      } catch (thrown) {
        // An id is of one environment, and unknown in the other.
        const isUnknown =
          thrown instanceof ServiceFailure && thrown.error.kind === "upstream_failed" && thrown.error.code === "resource_missing";
        if (isUnknown) return [];
        throw thrown;
      }
    }),
  );
  const homes = checkouts.length === 0 ? new Map<string, Home>() : await allHomes(deps.directory);
  const events = await Promise.all(
    checkouts.map(async ({ sessionId, ...recipient }) => {
      const home = homes.get(recipient.partnerId);
      return home === undefined ? [] : eventsById(deps, await checkoutEventId(home.idCode, recipient, sessionId));
    }),
  );
  return [...viewPayments(found.flat()), ...events.flat()];
}

/** Orders that were completed without a payment: their events have the reference. */
async function checkoutsNamed(deps: FindDeps, reference: string): Promise<Found[]> {
  const found = await inEachCell(deps, (db) => eventsOfCheckouts(db, reference, MAX_PAYMENTS));
  return viewEvents(found.flatMap(({ row, cell }) => row.map((one) => ({ row: one, cell }))));
}

async function subscriptionsById(deps: FindDeps, id: string): Promise<Found[]> {
  const found = await askEverywhere(deps, (db) => readSubscription(db, id));
  return found.flatMap((row) =>
    row === undefined ? [] : [{ ...nothing, kind: "subscription", id, partnerId: row.partnerId, environment: row.environment }],
  );
}

async function eventsById(deps: FindDeps, id: string): Promise<Found[]> {
  return viewEvents(await inEachCell(deps, async (db) => (await readDeliveries(db, [id]))[0]));
}

function viewEvents(found: readonly { row: { eventId: string; partnerId: string; environment: Environment }; cell: CellCode }[]): Found[] {
  return found.map(({ row, cell }) => ({ kind: "event", id: row.eventId, partnerId: row.partnerId, cell, environment: row.environment }));
}

async function cardProducts(deps: FindDeps, id: string): Promise<Found[]> {
  const product = await findProduct(deps.directory, "card", id);
  return product?.kind === "card"
    ? [
        {
          ...nothing,
          kind: "product",
          id: `card/${product.row.id}`,
          partnerId: product.row.partnerId,
          environment: product.row.environment,
        },
      ]
    : [];
}

async function rubleProducts(deps: FindDeps, id: string): Promise<Found[]> {
  const product = await findProduct(deps.directory, "ruble", id);
  return product === undefined ? [] : [{ ...nothing, kind: "product", id: `ruble/${product.row.id}`, partnerId: product.row.partnerId }];
}

async function promotionCodes(deps: FindDeps, id: string): Promise<Found[]> {
  const found = await inEachCell(deps, (db) => findPromotionCodeRow(db, id));
  return found.map(({ row, cell }) => ({ kind: "promotion_code", id, partnerId: row.partnerId, cell, environment: row.environment }));
}

async function codesNamed(deps: FindDeps, text: string): Promise<Found[]> {
  const found = await inEachCell(deps, (db) => findActiveCodes(db, text));
  return found.flatMap(({ row, cell }) =>
    row.map(({ id, partnerId, environment }) => ({ kind: "promotion_code" as const, id, partnerId, cell, environment })),
  );
}

/** The id that the answer to a request had. */
async function requestsById(deps: FindDeps, text: string): Promise<Found[]> {
  return viewRequests(await inEachCell(deps, (db) => recordsOfRequest(db, text)));
}

function viewRequests(found: readonly { row: readonly { id: string; partnerId: string }[]; cell: CellCode }[]): Found[] {
  return found.flatMap(({ row, cell }) => row.map(({ id, partnerId }) => ({ ...nothing, kind: "request" as const, id, partnerId, cell })));
}

async function endpointsById(deps: FindDeps, id: string): Promise<Found[]> {
  const partnerId = partnerOfEndpoint(id);
  const partner = partnerId === null ? undefined : await findPartner(deps.directory, partnerId);
  return partner === undefined ? [] : [{ ...nothing, kind: "endpoint", id, partnerId: partner.id }];
}

async function movementsById(deps: FindDeps, id: string): Promise<Found[]> {
  const movement = id.startsWith("processor:") ? id : `processor:${id}`;
  return viewPayments(await askEverywhere(deps, (db) => paymentsOfMovement(db, movement)));
}

async function keysById(deps: FindDeps, id: string): Promise<Found[]> {
  const key = await findListedKey(deps.directory, id);
  return key === undefined ? [] : [{ ...nothing, kind: "key", id, partnerId: key.partnerId }];
}

async function grantsById({ directory }: FindDeps, id: string): Promise<Found[]> {
  const rows = await selectGrant(directory, id);
  return rows.map(({ partnerId }) => ({ ...nothing, kind: "grant", id, partnerId }));
}

async function partnersNamed(deps: FindDeps, id: string): Promise<Found[]> {
  const [partner, employee] = [await findPartner(deps.directory, id), await findEmployee(deps.directory, id)];
  return [
    ...(partner === undefined ? [] : [{ ...nothing, kind: "partner" as const, id, partnerId: id }]),
    ...(employee === undefined ? [] : [{ ...nothing, kind: "employee" as const, id, partnerId: employee.partnerId }]),
  ];
}

async function bankOrders(deps: FindDeps, text: string): Promise<Found[]> {
  const found = await inEachCell(deps, async (db) => findOrderIds(db, text));
  return found.flatMap(({ row, cell }) => row.map((id) => ({ ...nothing, kind: "bank_order" as const, id, cell })));
}

/** A token or a key is of one partner and one operation, so each pair is tried: a record's id follows from them. */
async function requestsByKey(deps: FindDeps, text: string): Promise<Found[]> {
  const homes = await allHomes(deps.directory);
  const ids = await Promise.all(
    [...homes].flatMap(([partnerId, { idCode }]) =>
      deps.keyedOperations.map(({ operation, generation: { name } }) =>
        recordIdOf(idCode, {
          partnerId,
          generation: name,
          operation,
          key: clientKeyText(name, text),
        }),
      ),
    ),
  );
  return viewRequests(await inEachCell(deps, async (db) => readRecords(db, [...ids, text])));
}
