import { eq, inArray } from "drizzle-orm";
import { auditRow, entriesOf } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { sha256Hex } from "../../core/digest.ts";
import type { PriceUnit } from "../../core/money.ts";
import { type Directory, type InDirectory, inList, type Statement, violatedColumn } from "../../db/client.ts";
import { insertRows } from "../../db/insert-rows.ts";
import { cardProducts, productImports, rubleProducts } from "../../db/schema/catalogue.ts";
import { type CardProductValues, nextRubleId, type RubleProductValues } from "./products.ts";

/** A product of an import, with its line number. */
export type ImportedProduct = { readonly line: number; readonly partnerId: string } & (
  | { readonly kind: "card"; readonly values: CardProductValues }
  | { readonly kind: "ruble"; readonly id: number | undefined; readonly values: RubleProductValues }
);

/** A fault in one line of the file. */
export interface LineFault {
  readonly line: number;
  /** The field that is wrong; null if it is the whole line. */
  readonly field: string | null;
  readonly message: string;
}

/** Rows per statement: at most 700 KB of the 2 MB that a parameter may have. */
const ROWS_PER_STATEMENT = 250;

/** Ids that occur twice in the file, or that another product already has. One D1 round trip per 250 ids. */
export async function findTakenIds(directory: Directory, products: readonly ImportedProduct[]): Promise<LineFault[]> {
  const idOf = (product: ImportedProduct) => (product.kind === "card" ? product.values.processorProductId : (product.id ?? null));
  const named = products.flatMap((product) => {
    const id = idOf(product);
    return id === null ? [] : [{ line: product.line, kind: product.kind, id }];
  });
  const idsOf = (kind: ImportedProduct["kind"]) => named.filter((one) => one.kind === kind).map(({ id }) => id);
  const existing = new Set<string | number | null>();
  for (const ids of chunks(idsOf("card"))) {
    const { processorProductId } = cardProducts;
    const found = await directory
      .select({ id: processorProductId })
      .from(cardProducts)
      .where(inArray(processorProductId, inList(ids)))
      .all();
    for (const { id } of found) existing.add(id);
  }
  for (const ids of chunks(idsOf("ruble"))) {
    const found = await directory
      .select({ id: rubleProducts.id })
      .from(rubleProducts)
      .where(inArray(rubleProducts.id, inList(ids)))
      .all();
    for (const { id } of found) existing.add(id);
  }
  const seen = new Map<string | number, number>();
  return named.flatMap(({ line, kind, id }) => {
    const first = seen.get(id);
    seen.set(id, first ?? line);
    const field = kind === "card" ? "processor_product_id" : "id";
    if (first !== undefined) return [{ line, field, message: `${id} is also on line ${first}` }];
    return existing.has(id) ? [{ line, field, message: `the product ${id} already exists` }] : [];
  });
}

/** The id of a file's import. It is derived from the content, so the same file is imported once. */
export async function importIdOf(content: string): Promise<string> {
  return `imp_${(await sha256Hex(content)).slice(0, 32)}`;
}

/** How the prices of an import were read that has already been done; null for one that has not. */
export async function pricesImported(directory: Directory, importId: string): Promise<PriceUnit | null> {
  const found = await directory.select({ prices: productImports.prices }).from(productImports).where(eq(productImports.id, importId)).get();
  return found?.prices ?? null;
}

/** The partners of an import's products, from its audit entries; null for an unknown import. */
export async function findImport(directory: Directory, importId: string): Promise<readonly string[] | null> {
  if ((await pricesImported(directory, importId)) === null) return null;
  const entries = await entriesOf(directory, [importId]);
  return [...new Set(entries.flatMap(({ partnerId }) => partnerId ?? []))];
}

/**
 * Adds all products of an import in one transaction. They wait for moderation. Adds nothing if the import has already
 * been done, or if another product has taken one of the ids.
 */
export async function importProducts(
  { directory, clock }: InDirectory,
  { importId, products, prices }: { readonly importId: string; readonly products: readonly ImportedProduct[]; readonly prices: PriceUnit },
  actor: Actor,
): Promise<"imported" | "imported_before" | "id_taken"> {
  const now = clock.now();
  let nextId = await nextRubleId(directory);
  const common = { moderation: "in_review", createdAt: now, updatedAt: now, revision: 1 } as const;
  const cards = await Promise.all(
    products.flatMap((product) =>
      product.kind === "card"
        ? [rowOfCard(importId, product.line).then((id) => ({ id, partnerId: product.partnerId, ...product.values, ...common }))]
        : [],
    ),
  );
  const named = products.flatMap((product) => (product.kind === "ruble" && product.id !== undefined ? [product.id] : []));
  nextId = named.reduce((largest, id) => Math.max(largest, id + 1), nextId);
  const rubles = products.flatMap((product) => {
    if (product.kind === "card") return [];
    const id = product.id ?? nextId++;
    return [{ id, partnerId: product.partnerId, ...product.values, ...common }];
  });
  const ofPartners = Map.groupBy(products, ({ partnerId }) => partnerId);
  const entries = [...ofPartners].map(([partnerId, own]) => {
    const after = { card: own.filter(({ kind }) => kind === "card").length, ruble: own.filter(({ kind }) => kind === "ruble").length };
    return auditRow(directory, { actor, action: "products.import", target: importId, partnerId, after }, now);
  });
  const statements: [Statement, ...Statement[]] = [
    directory.insert(productImports).values({ id: importId, rows: products.length, prices, createdAt: now }),
    ...chunks(cards).map((rows) => insertRows(directory, cardProducts, rows)),
    ...chunks(rubles).map((rows) => insertRows(directory, rubleProducts, rows)),
    ...entries,
  ];
  try {
    await directory.batch(statements);
  } catch (thrown) {
    const column = violatedColumn(thrown);
    if (column === "product_imports.id") return "imported_before";
    if (column === "card_products.processor_product_id" || column === "ruble_products.id") return "id_taken";
    throw thrown;
  }
  return "imported";
}

async function rowOfCard(importId: string, line: number): Promise<string> {
  return `card_${(await sha256Hex(`${importId}:${line}`)).slice(0, 32)}`;
}

function chunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, index) =>
    rows.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  );
}
