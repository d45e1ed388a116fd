import { approvedProductsOf } from "../catalogue/store.ts";
import type { Cell, Directory } from "../db/client.ts";
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
 * Lists the caller's live links that sell one approved product and have a short link, newest first
 * (interface 7.1). Two D1 round trips at the same time. Links to products that are no longer approved are left out. Cart links are left out
 * too, because they have no single product.
 */
export async function listLiveLinks(
  { directory, db }: { readonly directory: Directory; readonly db: Cell },
  { partnerId }: Caller,
): Promise<LiveLink[]> {
  const [links, products] = await Promise.all([liveProductLinksOf(db, partnerId), approvedProductsOf(directory, partnerId, "live")]);
  const byId = new Map(products.map((product) => [product.processorProductId, product]));
  return links.flatMap(({ productId, unitAmount, currency, slug }) => {
    const product = byId.get(productId);
    return product === undefined
      ? []
      : [{ productId, productName: product.name, description: product.description, unitAmount, currency, slug }];
  });
}
