import * as z from "zod";
import { listCardProducts, listRubleProducts, type Product, type ProductFilter } from "../../catalogue/admin/store.ts";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { Deps } from "../../deps.ts";
import { cutPage, keyIn } from "../calls/paging.ts";

const listKey = z.union([z.tuple([z.literal("card"), z.string()]), z.tuple([z.literal("ruble"), z.int()])]);

/** A page of products: card products first, then ruble products, each in the order of their ids. */
export async function pageOfProducts<View>(
  { directory }: Pick<Deps, "directory">,
  filter: ProductFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  view: (product: Product) => View,
) {
  const [from, after] = keyIn(cursor, listKey) ?? ["card", ""];
  const cards = from === "card" ? await listCardProducts(directory, filter, after, limit + 1) : [];
  const room = limit + 1 - cards.length;
  const rubles = room > 0 ? await listRubleProducts(directory, filter, from === "ruble" ? after : 0, room) : [];
  const found: Product[] = [
    ...cards.map((row) => ({ kind: "card" as const, row })),
    ...rubles.map((row) => ({ kind: "ruble" as const, row })),
  ];
  return cutPage(found, limit, view, (product) => [product.kind, product.row.id]);
}

/** What products are sorted by. An amount by the number, whatever the currency; a name in any case. */
const SORTS: Readonly<Record<string, (product: Product) => number | string>> = {
  name: ({ row }) => row.name.toLowerCase(),
  amount: ({ row }) => toMajorUnits(row.unitAmount, row.currency),
  created_at: ({ row }) => row.createdAt,
};

/** The names of the orders: a minus is the largest first. */
export const productSorts = Object.keys(SORTS).flatMap((name) => [name, `-${name}`]);

/** Products of one kind that are sorted at most: a partner with more has them by their ids. */
const MOST_SORTED = 5_000;

const sortKey = z.tuple([z.string(), z.union([z.number(), z.string()]), z.string()]);

interface Place {
  readonly value: number | string;
  readonly id: string;
}

/** Values of one order are all numbers, or all texts. */
const compare = (one: Place, other: Place): number =>
  one.value === other.value ? (one.id < other.id ? -1 : 1) : one.value < other.value ? -1 : 1;

/**
 * A page of a partner's products in an order, card and ruble products together. It sorts all of them. Two D1 round trips.
 * @throws ServiceFailure `invalid_input` for a cursor of another order, and for more products than are sorted
 */
export async function sortedPageOfProducts<View>(
  { directory }: Pick<Deps, "directory">,
  filter: ProductFilter,
  { sort, limit, cursor }: { readonly sort: string; readonly limit: number; readonly cursor?: string | undefined },
  view: (product: Product) => View,
) {
  const isDescending = sort.startsWith("-");
  const by = SORTS[isDescending ? sort.slice(1) : sort];
  if (by === undefined) throw new Error(`no products are sorted by ${sort}`);
  const [sorted = sort, value, id] = keyIn(cursor, sortKey) ?? [];
  if (sorted !== sort) rejectInput("cursor: is of a list with another `sort`", "cursor");
  const [cards, rubles] = await Promise.all([
    listCardProducts(directory, filter, "", MOST_SORTED + 1),
    listRubleProducts(directory, filter, 0, MOST_SORTED + 1),
  ]);
  if (Math.max(cards.length, rubles.length) > MOST_SORTED) rejectInput(`sort: at most ${MOST_SORTED} products are sorted`, "sort");
  const found: Product[] = [
    ...cards.map((row) => ({ kind: "card" as const, row })),
    ...rubles.map((row) => ({ kind: "ruble" as const, row })),
  ];
  const sign = isDescending ? -1 : 1;
  const places = found
    .map((product) => ({ product, value: by(product), id: `${product.kind} ${product.row.id}` }))
    .toSorted((one, other) => sign * compare(one, other));
  const behind =
    value === undefined || id === undefined
      ? places
      : places.filter((place) => place.id !== id && sign * compare(place, { value, id }) > 0);
  return cutPage(
    behind,
    limit,
    ({ product }) => view(product),
    (place) => [sort, place.value, place.id],
  );
}
