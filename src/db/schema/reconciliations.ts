import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/** Progress of the reconciliations: the processor's list has been compared until `comparedUntil`. */
export const reconciliations = sqliteTable("reconciliations", {
  /** What is compared, the environment, and the pass. */
  name: text("name").primaryKey(),
  /** The processor's list was compared up to this time. */
  comparedUntil: timestamp("compared_until").notNull(),
  /** The number of entries that were missing so far. */
  missingCount: integer("missing_count").notNull().default(0),
  updatedAt: timestamp("updated_at").notNull(),
});

/**
 * Cells that were unreachable during a comparison with the processor's lists. They are compared when they answer again.
 */
export const owedComparisons = sqliteTable("owed_comparisons", {
  /** The code of the cell. */
  cell: text("cell").primaryKey(),
  /** The start of the period that was not compared with this cell. */
  since: timestamp("since").notNull(),
});
