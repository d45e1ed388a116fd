import { getTableName, inArray, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { type Directory, inList } from "../db/client.ts";
import { type Prepared, prepareOnce, reading, type StoredRow } from "../db/prepared.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";
import type { CardProductRow, RubleProductRow } from "./store.ts";

/** What changes with every change of some products: how many of them there are, and the sum of their revisions. */
export interface ProductsVersion {
  readonly products: number;
  readonly revisions: number;
}

/** The products that a request has sold, as they were. */
export interface SoldProducts {
  /** The statement for their version at present: one row. */
  select(directory: Directory): Prepared<ProductsVersion>;
  /** Whether a row of that query says that they have not changed. */
  isStill(row: unknown): boolean;
}

/** The card products of these rows. */
export function soldCards(rows: readonly CardProductRow[]): SoldProducts {
  const ids = rows.map((row) => row.processorProductId);
  return soldIn(cardProducts, cardProducts.processorProductId, ids, rows);
}

/** The ruble products of these rows. */
export function soldForRubles(rows: readonly RubleProductRow[]): SoldProducts {
  const ids = rows.map((row) => row.id);
  return soldIn(rubleProducts, rubleProducts.id, ids, rows);
}

function soldIn(
  table: typeof cardProducts | typeof rubleProducts,
  id: SQLiteColumn,
  ids: readonly (string | number | null)[],
  rows: readonly { readonly revision: number }[],
): SoldProducts {
  const build = (directory: Directory) => () =>
    directory
      .select(versionIn(table.revision))
      .from(table)
      .where(inArray(id, inList(ids)));
  const name = `version of ${getTableName(table)}`;
  return {
    select: (directory) => reading(prepareOnce(directory, name, build(directory), [JSON.stringify(ids)]), read),
    isStill: isVersionOf(rows),
  };
}

const versionSchema = z.object({ products: z.int(), revisions: z.int() });
const read = (stored: StoredRow): ProductsVersion => versionSchema.parse(stored);

const versionIn = (revision: SQLiteColumn) => ({
  products: sql<number>`COUNT(*)`.as("products"),
  revisions: sql<number>`COALESCE(SUM(${revision}), 0)`.as("revisions"),
});

const isVersionOf = (rows: readonly { readonly revision: number }[]) => {
  const revisions = rows.reduce((sum, { revision }) => sum + revision, 0);
  return (row: unknown) => isVersion(row) && row.products === rows.length && row.revisions === revisions;
};

/** Whether a row of the directory is a version, and no product. */
export function isVersion(row: unknown): row is ProductsVersion {
  return typeof row === "object" && row !== null && "revisions" in row && "products" in row;
}
