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

interface LinkPage {
  readonly links: readonly LiveLink[];
  /** Whether it is the last one. */
  readonly isLast: boolean;
}

/** Most links on a page. If the partner has fewer products than this, they are read once for all pages. */
const PAGE = 1_000;

/**
 * The caller's live links that sell one approved product and have a short link, newest first, page by page
 * (interface 7.1). Links to products that are no longer approved are left out. Cart links are left out too, because they
 * have no single product. Each page takes one D1 round trip for its links (the first beside one for the products), and one
 * more after it where the partner has a thousand products or more.
 */
export async function* liveLinkPages(
  { directory, db }: { readonly directory: Directory; readonly db: Cell },
  { partnerId }: Caller,
): AsyncGenerator<LinkPage, undefined> {
  const [first, some] = await Promise.all([
    liveProductLinksOf(db, partnerId, null, PAGE),
    approvedProductsOf(directory, partnerId, "live").limit(PAGE),
  ]);
  const all = some.length < PAGE ? byIdOf(some) : null;
  for (let page = first; ; page = await liveProductLinksOf(db, partnerId, page.last, PAGE)) {
    const ids = page.links.map(({ productId }) => productId);
    const products = all ?? byIdOf(await approvedProductsOf(directory, partnerId, "live", ids));
    const isLast = page.last === null;
    yield { links: page.links.flatMap((link) => sold(link, products.get(link.productId))), isLast };
    if (isLast) return undefined;
  }
}

type Product = Awaited<ReturnType<typeof approvedProductsOf>>[number];

const byIdOf = (products: readonly Product[]) => new Map(products.map((product) => [product.processorProductId, product]));

function sold(link: Omit<LiveLink, "productName" | "description">, product: Product | undefined): LiveLink[] {
  return product === undefined ? [] : [{ ...link, productName: product.name, description: product.description }];
}
