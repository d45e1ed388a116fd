import { texts } from "../../texts/index.ts";
import type { RowOf } from "../api/client.ts";
import { wordsOfValue } from "../calls/names.ts";

export type Product = RowOf<"/ops/products">;

/** How a product is sold. */
export function kindOf(product: Product): string {
  if (product.kind === "ruble") return wordsOfValue("ruble");
  const { type, interval, interval_count } = product;
  return interval === null ? wordsOfValue(type) : `${wordsOfValue(type)}, ${texts.products.every(interval_count ?? 1, interval)}`;
}

/** A ruble product is sold in both environments. */
export const environmentOf = (product: Product): string =>
  product.kind === "card" ? texts.environment[product.environment] : `${texts.environment.live}, ${texts.environment.test}`;
