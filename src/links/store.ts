import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Clock, Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { parseJson } from "../core/json.ts";
import { type Cell, inList } from "../db/client.ts";
import type { ListData } from "../db/newest-page.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { insertOnce, prepareOnce } from "../db/prepared.ts";
import { paymentLinks } from "../db/schema/links.ts";
import { creationSpan, type SearchRange } from "../processor/find-attributed.ts";

/** Inserts a link's row. Run it in the same transaction as the step that created the link. */
export function insertPaymentLink(db: Cell, row: typeof paymentLinks.$inferInsert): D1PreparedStatement {
  return insertOnce(db, paymentLinks, row);
}

/** A line of a link. Unit amount in minor units. */
interface LinkLine {
  readonly productId: string;
  readonly priceId: string;
  readonly unitAmount: number;
  readonly quantity: number;
  /** The product's name when the link was made. */
  readonly name: string;
}

/** The lines as a row stores them: product, price, amount, quantity and name of each. Older rows have no name. */
const storedLinesSchema = z.array(z.tuple([z.string(), z.string(), z.int(), z.int()]).rest(z.string()));

/** The lines of a stored link; empty as long as the processor has not listed them. The name is null in older rows. */
export function linesIn(stored: string | null) {
  if (stored === null) return [];
  return parseJson(storedLinesSchema, stored).map(([productId, priceId, unitAmount, quantity, name = null]) => ({
    productId,
    priceId,
    unitAmount,
    quantity,
    name,
  }));
}

/** What lines cost together, once or for one period, in minor units. */
export const costOf = (lines: readonly Pick<LinkLine, "unitAmount" | "quantity">[]): number =>
  lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0);

/** The lines of a link in the form of its row. */
export function storedLines(lines: readonly LinkLine[]): string {
  const stored: z.infer<typeof storedLinesSchema> = lines.map((line) => [
    line.productId,
    line.priceId,
    line.unitAmount,
    line.quantity,
    line.name,
  ]);
  return JSON.stringify(stored);
}

/** Sets the lines and the slug of a link. A slug of another link violates the unique index. */
export function completePaymentLink(db: Cell, id: string, lines: readonly LinkLine[], slug: string): D1PreparedStatement {
  const items = storedLines(lines);
  const build = () => db.update(paymentLinks).set({ items, slug }).where(eq(paymentLinks.id, id));
  return prepareOnce(db, "complete payment link", build, [items, slug, id]);
}

/**
 * Where to search at the processor for a link that was requested in a period (Unix milliseconds): after the newest link
 * that was stored before it. One in sixty of the cell's links is in this index; a page of the processor has a hundred,
 * of all cells. One round trip.
 */
export async function searchRangeOf(db: Cell, environment: Environment, called: Period): Promise<SearchRange> {
  const { from, to } = creationSpan(called);
  const { id, createdAt } = paymentLinks;
  const older = await db
    .select({ id })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.environment, environment), lte(createdAt, from), sql`substr(${id}, -1) = 'a'`))
    .orderBy(desc(createdAt))
    .limit(1)
    .get();
  return { after: older?.id ?? null, until: to };
}

/** Selects the owner of a link, and its lines: one row or none. For use in a batch with other queries. */
export function ownerOfLink(db: Cell, paymentLinkId: string | SQL) {
  return db
    .select({ partnerId: paymentLinks.partnerId, items: paymentLinks.items })
    .from(paymentLinks)
    .where(eq(paymentLinks.id, paymentLinkId));
}

/** The end of a page of links. */
interface LinkPosition {
  readonly createdAt: number;
  readonly id: string;
}

/**
 * A partner's live links for one product that have a short link and are open, newest first: at most `limit`
 * after a position. `last` is the end position; null: no more follow. One round trip, by index.
 */
export async function liveProductLinksOf(
  { db, clock }: { readonly db: Cell; readonly clock: Clock },
  partnerId: string,
  after: LinkPosition | null,
  limit: number,
) {
  const { id, items: lines, currency: of, slug: path, createdAt, disabledAt, closedAt, closesAt } = paymentLinks;
  const isOpen = and(isNull(disabledAt), isNull(closedAt), or(isNull(closesAt), gt(closesAt, clock.now())));
  const isAfter = after === null ? undefined : sql`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id})`;
  const rows = await db
    .select({ id, createdAt, items: lines, currency: of, slug: path })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.partnerId, partnerId), isAfter, IS_LIVE_PRODUCT_LINK, isNotNull(path), isOpen))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)
    .all();
  const links = rows.flatMap(({ id: linkId, createdAt: at, items, currency, slug }) => {
    const [line] = linesIn(items);
    if (line === undefined || slug === null) return [];
    const { productId, unitAmount } = line;
    return [{ id: linkId, at, productId, unitAmount, currency, slug }];
  });
  return { links, last: rows.length < limit ? null : (rows.at(-1) ?? null) };
}

// Literals, not bound parameters: only then does SQLite use the partial index of these links.
const IS_LIVE_PRODUCT_LINK = sql`${paymentLinks.environment} = 'live' AND ${paymentLinks.source} <> 'cart'`;

/** The processor's product ids of links, by link id. A link may be in any cell of its partner. */
export async function productsOfLinks(data: PartnerData, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const wanted = inList(ids);
  const { id, items } = paymentLinks;
  const rows = await data.each(({ db }) => db.select({ id, items }).from(paymentLinks).where(inArray(id, wanted)).all());
  return new Map(rows.flat().map((row) => [row.id, [...new Set(linesIn(row.items).map(({ productId }) => productId))].toSorted()]));
}

/** What a link sells, and how often. */
type LinkTerms = Pick<typeof paymentLinks.$inferSelect, "partnerId" | "environment" | "currency" | "interval" | "intervalCount"> & {
  readonly lines: ReturnType<typeof linesIn>;
};

/** What links sell, by their ids. One D1 round trip to each cell. */
export async function termsOfLinks(data: ListData, ids: readonly string[]): Promise<ReadonlyMap<string, LinkTerms>> {
  if (ids.length === 0) return new Map();
  const { id, partnerId, environment, items, currency, interval, intervalCount } = paymentLinks;
  const rows = await data.each(({ db }) =>
    db
      .select({ id, partnerId, environment, items, currency, interval, intervalCount })
      .from(paymentLinks)
      .where(inArray(id, inList(ids)))
      .all(),
  );
  return new Map(rows.flat().map(({ id: link, items: stored, ...terms }) => [link, { ...terms, lines: linesIn(stored) }]));
}

/** The names of what links sell, by price and by product. */
export const namesIn = (links: ReadonlyMap<string, LinkTerms>): ReadonlyMap<string, string | null> =>
  new Map(
    [...links.values()].flatMap(({ lines }) =>
      lines.flatMap(
        ({ priceId, productId, name }) =>
          [
            [productId, name],
            [priceId, name],
          ] as const,
      ),
    ),
  );
