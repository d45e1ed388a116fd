import { inArray, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Directory, inList, type Query } from "../db/client.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";
import type { CardProductRow, RubleProductRow } from "./store.ts";

/** What changes with every change of some products: how many of them there are, and the sum of their revisions. */
export interface ProductsVersion {
  readonly products: number;
  readonly revisions: number;
}

/** The products that a request has sold, as they were. */
export interface SoldProducts {
  /** Query for their version at present: one row. */
  select(directory: Directory): Query<ProductsVersion>;
  /** Whether a row of that query says that they have not changed. */
  isStill(row: unknown): boolean;
}

/** The card products of these rows. */
export function soldCards(rows: readonly CardProductRow[]): SoldProducts {
  const { processorProductId, revision } = cardProducts;
  const ids = rows.map((row) => row.processorProductId);
  const select = (directory: Directory) =>
    directory
      .select(versionIn(revision))
      .from(cardProducts)
      .where(inArray(processorProductId, inList(ids)));
  return { select, isStill: isVersionOf(rows) };
}

/** The ruble products of these rows. */
export function soldForRubles(rows: readonly RubleProductRow[]): SoldProducts {
  const { id, revision } = rubleProducts;
  const ids = rows.map((row) => row.id);
  const select = (directory: Directory) =>
    directory
      .select(versionIn(revision))
      .from(rubleProducts)
      .where(inArray(id, inList(ids)));
  return { select, isStill: isVersionOf(rows) };
}

const versionIn = (revision: SQLiteColumn) => ({
  products: sql<number>`COUNT(*)`,
  revisions: sql<number>`COALESCE(SUM(${revision}), 0)`,
});

const isVersionOf = (rows: readonly { readonly revision: number }[]) => {
  const revisions = rows.reduce((sum, { revision }) => sum + revision, 0);
  return (row: unknown) => isVersion(row) && row.products === rows.length && row.revisions === revisions;
};

/** Whether a row of the directory is a version, and no product. */
export function isVersion(row: unknown): row is ProductsVersion {
  return typeof row === "object" && row !== null && "revisions" in row && "products" in row;
}
