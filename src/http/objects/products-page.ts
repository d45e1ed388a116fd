import * as z from "zod";
import { listCardProducts, listRubleProducts, type Product, type ProductFilter } from "../../catalogue/admin/store.ts";
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
