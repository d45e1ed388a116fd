import { bankPaymentSelections } from "../bank-payments/list-payments.ts";
import type { Period } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import type { NewestPage, OwnList, SummedData } from "../db/newest-page.ts";
import { type Dated, newestFirst, type PartnerData } from "../db/partner-data.ts";
import { readRecords, recordsOfRequest } from "../idempotency/find-records.ts";
import type { IdempotencyRecord } from "../idempotency/store.ts";
import { linkSelections } from "../links/list-links.ts";
import { codeSelections } from "../promotions/list-codes.ts";
import { findRefusal, type RefusedRequest, refusalSelections } from "./store.ts";

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
  readonly environment: Environment;
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
export interface RequestSearch extends Omit<OwnList, "environment" | "period"> {
  readonly partnerId: string;
  /** Of what was created; undefined: both. */
  readonly environment: Environment | undefined;
  readonly outcome: "created" | "refused" | undefined;
  readonly operations: readonly string[];
  readonly period: Period;
  /** Only refusals with this code. */
  readonly code: string | undefined;
}

/**
 * A partner's requests, newest first: creations by what they created, and refusals as far as they are kept. A page may be
 * short. At most nine D1 round trips to each of the partner's cells, in parallel but for the last.
 */
export async function listRequests(data: PartnerData, search: RequestSearch) {
  const pages = await Promise.all([
    ...(search.outcome === "created" ? [] : [refusedPage(data, search)]),
    ...(search.outcome === "refused" || search.code !== undefined ? [] : creationPages(data, search)),
  ]);
  // A source that has not looked at its older rows may have some that belong before those of another.
  const [end] = pages.flatMap(({ next }) => next ?? []).toSorted(newestFirst);
  const found = pages
    .flatMap(({ rows }) => rows)
    .filter((row) => row.at >= search.period.from && (end === undefined || newestFirst(row, end) <= 0))
    .toSorted(newestFirst);
  const shown = found.slice(0, search.limit);
  const last = found.length > search.limit ? shown.at(-1) : end;
  const isAtEnd = last === undefined || last.at < search.period.from;
  return { rows: await withRecords(data, shown), next: isAtEnd ? null : { at: last.at, id: last.id } };
}

/** How many requests a search finds in all; null if there are too many to count. Three D1 round trips to each of the partner's cells at most. */
export async function countRequests(data: SummedData, search: Omit<RequestSearch, "before" | "limit">) {
  const { partnerId, environment, period, outcome, operations, code } = search;
  const own = { partnerId, environment, period };
  const links = [
    ...(operations.includes(CREATIONS.product_link) ? ["product" as const] : []),
    ...(operations.includes(CREATIONS.cart_link) ? ["cart" as const] : []),
  ];
  const isCreated = outcome !== "refused" && code === undefined;
  const counts = await Promise.all([
    outcome === "created" ? 0 : refusalSelections.count(data, { ...own, environment: undefined, filter: { operations, code } }),
    isCreated && links.length > 0 ? linkSelections.count(data, { ...own, filter: { sources: links } }) : 0,
    isCreated && operations.includes(CREATIONS.promotion_code) ? codeSelections.count(data, { ...own, filter: {} }) : 0,
    isCreated && operations.includes(CREATIONS.bank_payment) ? bankPaymentSelections.count(data, { ...own, filter: {} }) : 0,
  ]);
  return counts.reduce<number | null>((total, count) => (total === null || count === null ? null : total + count), 0);
}

type Unread = Refused | (Omit<CreatedRequest, "record"> & { readonly recordId: string | null });
type UnreadPage = NewestPage<Unread>;

async function refusedPage(data: PartnerData, { period, before, partnerId, limit, ...filter }: RequestSearch): Promise<UnreadPage> {
  const list = { partnerId, environment: undefined, before, limit, period: { from: period.from, to: Number.MAX_SAFE_INTEGER } };
  const { rows, next } = await refusalSelections.newest(data, list, filter);
  return { rows: rows.map((refusal): Unread => ({ kind: "refused", at: refusal.at, id: refusal.id, refusal })), next };
}

type Creation = Dated & { readonly environment: Environment; readonly recordId: string | null };

const toEntry =
  (operation: string) =>
  ({ at, id, environment, recordId }: Creation): Unread => ({ kind: "created", environment, at, id, operation, object: id, recordId });

/** The page of each list of what can be created. */
function creationPages(data: PartnerData, { operations, environment, partnerId, before, limit }: RequestSearch): Promise<UnreadPage>[] {
  const { product_link, promotion_code, cart_link, bank_payment } = CREATIONS;
  const asked = (operation: string, page: (list: OwnList) => Promise<NewestPage<Creation>>) =>
    operations.includes(operation)
      ? (environment === undefined ? environments : [environment]).map(async (one) => {
          const { rows, next } = await page({ partnerId, before, limit, environment: one });
          return { rows: rows.map(toEntry(operation)), next };
        })
      : [];
  return [
    ...asked(product_link, (list) => linkSelections.newest(data, list, { sources: ["product"] })),
    ...asked(cart_link, (list) => linkSelections.newest(data, list, { sources: ["cart"] })),
    ...asked(promotion_code, (list) => codeSelections.newest(data, list, {})),
    ...asked(bank_payment, (list) => bankPaymentSelections.newest(data, list, {})),
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

/** What is known of one request of a partner, by its id or that of its record; null if nothing is. */
export async function findRequest(data: PartnerData, partnerId: string, requestId: string) {
  const [found] = (await data.each(({ db }) => findRefusal(db, partnerId, requestId))).flatMap((one) => one ?? []);
  const ids = (await data.each(({ db }) => recordsOfRequest(db, requestId))).flat();
  // A search may name a request by its record, whose id begins a story.
  const records = (await data.each(({ db }) => readRecords(db, [...ids.map(({ id }) => id), requestId]))).flat();
  const byId = new Map(records.filter((record) => record.partnerId === partnerId).map((record) => [record.id, record]));
  return found === undefined && byId.size === 0 ? null : { refusal: found ?? null, records: [...byId.values()] };
}
