import { approvedProductsOf } from "../catalogue/store.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import { liveProductLinksOf } from "./store.ts";

export interface LiveLink {
  readonly productId: string;
  readonly productName: string;
  readonly description: string | null;
  /** Minor units. */
  readonly unitAmount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly slug: string;
}

/**
 * The caller's own live links that sell one approved product and have a short link, newest first (interface, operation
 * 7). One D1 round trip. A link whose product is not approved any more is left out, and so are carts, which have no
 * one product to be listed under.
 */
export async function listLiveLinks({ db }: { readonly db: Database }, { partnerId }: Caller): Promise<LiveLink[]> {
  const [links, products] = await db.batch([liveProductLinksOf(db, partnerId), approvedProductsOf(db, partnerId, "live")]);
  const byId = new Map(products.map((product) => [product.processorProductId, product]));
  return links.flatMap(({ productId, unitAmount, currency, slug }) => {
    const product = byId.get(productId);
    return product === undefined
      ? []
      : [{ productId, productName: product.name, description: product.description, unitAmount, currency, slug }];
  });
}
