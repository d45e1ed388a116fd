import { approvedProductsOf } from "../catalogue/store.ts";
import type { Clock } from "../core/clock.ts";
import type { Directory } from "../db/client.ts";
import type { PartnerData, RowPage } from "../db/partner-data.ts";
import type { Caller } from "../partners/authenticate.ts";
import { liveProductLinksOf } from "./store.ts";

/** Amounts in minor units. */
export type LiveLink = ReturnType<typeof sold>[number];

interface LinkPage {
  readonly links: readonly LiveLink[];
  /** Whether it is the last one. */
  readonly isLast: boolean;
}

/** The maximum page size. If the partner has fewer products than this, they are read once for all pages. */
const PAGE = 1_000;

/**
 * The caller's live links that sell one approved product, have a short link and take payments, newest first, page by page (interface
 * 7.1). Links to products that are no longer approved are left out. Cart links are left out too, because they have no
 * single product. Each page takes one D1 round trip for its links (in parallel with one for the products on the first
 * page), and one more if the partner has a thousand products or more.
 */
export async function* liveLinkPages(
  { data, directory, clock }: { readonly data: PartnerData; readonly directory: Directory; readonly clock: Clock },
  caller: Caller,
): AsyncGenerator<LinkPage, undefined> {
  const { partnerId } = caller;
  const pages = data.pages(PAGE, (db) => pagesIn({ db, clock }, partnerId));
  const [first, some] = await Promise.all([pages.next(), approvedProductsOf(directory, partnerId, "live").limit(PAGE)]);
  const all = some.length < PAGE ? byIdOf(some) : null;
  for (let page = first.value; page !== undefined; page = (await pages.next()).value) {
    const ids = page.rows.map(({ productId }) => productId);
    const products = all ?? byIdOf(await approvedProductsOf(directory, partnerId, "live", ids));
    yield { links: page.rows.flatMap((link) => sold(link, products.get(link.productId))), isLast: page.isLast };
  }
  return undefined;
}

type StoredLink = Awaited<ReturnType<typeof liveProductLinksOf>>["links"][number];
async function* pagesIn(deps: Parameters<typeof liveProductLinksOf>[0], partnerId: string): AsyncGenerator<RowPage<StoredLink>, undefined> {
  for (
    let page = await liveProductLinksOf(deps, partnerId, null, PAGE);
    ;
    page = await liveProductLinksOf(deps, partnerId, page.last, PAGE)
  ) {
    yield { rows: page.links, isLast: page.last === null };
    if (page.last === null) return undefined;
  }
}

type Product = Awaited<ReturnType<typeof approvedProductsOf>>[number];

const byIdOf = (products: readonly Product[]) => new Map(products.map((product) => [product.processorProductId, product]));

function sold({ productId, unitAmount, currency, slug }: StoredLink, product: Product | undefined) {
  const link = { productId, unitAmount, currency, slug };
  return product === undefined ? [] : [{ ...link, productName: product.name, description: product.description }];
}
