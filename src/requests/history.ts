import { listBankPayments } from "../bank-payments/list-payments.ts";
import type { OwnList } from "../db/newest-page.ts";
import { type Dated, newestFirst, type PartnerData } from "../db/partner-data.ts";
import { readRecords, recordsOfRequest } from "../idempotency/find-records.ts";
import type { IdempotencyRecord } from "../idempotency/store.ts";
import { listLinks } from "../links/list-links.ts";
import { listPromotionCodes } from "../promotions/list-codes.ts";
import { findRefusal, newestRefusals, type RefusedRequest } from "./store.ts";

/** The operations whose results a partner finds among its requests. */
const CREATIONS = {
  product_link: "payment-link-create",
  promotion_code: "promotion-code-create",
  cart_link: "create-partner-processor-cart-payment-link",
  bank_payment: "create-partner-bank-cart-payment",
} as const;

/** A request that created something. */
interface CreatedRequest extends Dated {
  readonly kind: "created";
  readonly operation: string;
  /** The id of the created object: a payment link, a promotion code, or an order at the bank. */
  readonly object: string;
  /** Null once the record has expired. */
  readonly record: IdempotencyRecord | null;
}

/** A request that was refused, or could not be carried out. */
interface Refused extends Dated {
  readonly kind: "refused";
  readonly refusal: RefusedRequest;
}

export type RequestEntry = CreatedRequest | Refused;

/** Which requests to list. */
export interface RequestSearch extends OwnList {
  readonly outcome: "created" | "refused" | undefined;
  readonly operations: readonly string[];
  /** Unix milliseconds. */
  readonly from: number;
}

/**
 * A partner's requests, newest first: creations by what they created, and refusals as far as they are kept. At most five
 * D1 round trips to each of the partner's cells, in parallel but for the last.
 */
export async function listRequests(data: PartnerData, search: RequestSearch) {
  const sources = await Promise.all([
    search.outcome === "created" ? [] : refusedRequests(data, search),
    ...(search.outcome === "refused" ? [] : creationsOf(data, search)),
  ]);
  const found = sources
    .flat()
    .filter(({ at }) => at >= search.from)
    .toSorted(newestFirst);
  const shown = found.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    rows: await withRecords(data, shown),
    next: found.length > search.limit && last !== undefined ? { at: last.at, id: last.id } : null,
  };
}

type Unread = Refused | (Omit<CreatedRequest, "record"> & { readonly recordId: string | null });

async function refusedRequests(data: PartnerData, search: RequestSearch): Promise<Unread[]> {
  const found = await data.each(({ db }) => newestRefusals(db, search));
  return found.flat().map((refusal) => ({ kind: "refused", at: refusal.at, id: refusal.id, refusal }));
}

const toEntry =
  (operation: string) =>
  ({ at, id, recordId }: Dated & { readonly recordId: string | null }): Unread => ({
    kind: "created",
    at,
    id,
    operation,
    object: id,
    recordId,
  });

/** The lists of what can be created, each with one row more than the page. */
function creationsOf(data: PartnerData, { operations, ...list }: RequestSearch): Promise<Unread[]>[] {
  const { product_link, promotion_code, cart_link, bank_payment } = CREATIONS;
  const more = { ...list, limit: list.limit + 1 };
  const isAsked = (...names: readonly string[]) => names.some((name) => operations.includes(name));
  return [
    ...(isAsked(product_link, cart_link)
      ? [
          listLinks(data, more).then(({ rows }) =>
            rows
              .filter(({ source }) => source !== "moderation" && isAsked(source === "cart" ? cart_link : product_link))
              .map((row) => toEntry(row.source === "cart" ? cart_link : product_link)(row)),
          ),
        ]
      : []),
    ...(isAsked(promotion_code) ? [listPromotionCodes(data, more).then(({ rows }) => rows.map(toEntry(promotion_code)))] : []),
    ...(isAsked(bank_payment) ? [listBankPayments(data, more).then(({ rows }) => rows.map(toEntry(bank_payment)))] : []),
  ];
}

async function withRecords(data: PartnerData, entries: readonly Unread[]): Promise<RequestEntry[]> {
  const ids = entries.flatMap((entry) => (entry.kind === "created" ? (entry.recordId ?? []) : []));
  const found = ids.length === 0 ? [] : (await data.each(({ db }) => readRecords(db, ids))).flat();
  const records = new Map(found.map((record) => [record.id, record]));
  return entries.map((entry) => {
    if (entry.kind === "refused") return entry;
    const { recordId, ...created } = entry;
    return { ...created, record: (recordId === null ? undefined : records.get(recordId)) ?? null };
  });
}

/** What is known of one request of a partner, by its id; null if nothing is. */
export async function findRequest(data: PartnerData, partnerId: string, requestId: string) {
  const [found] = (await data.each(({ db }) => findRefusal(db, partnerId, requestId))).flatMap((one) => one ?? []);
  const ids = (await data.each(({ db }) => recordsOfRequest(db, requestId))).flat();
  const own = ids.filter((one) => one.partnerId === partnerId).map(({ id }) => id);
  const records = own.length === 0 ? [] : (await data.each(({ db }) => readRecords(db, own))).flat();
  const byId = new Map(records.map((record) => [record.id, record]));
  return found === undefined && byId.size === 0 ? null : { refusal: found ?? null, records: [...byId.values()] };
}
