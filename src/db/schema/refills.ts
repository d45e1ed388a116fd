import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

export const refillKinds = ["short-links", "snapshots"] as const;

/** Rewrites of a store that was lost: KV or R2. The cron continues them; a finished one stays until the next. */
export const refills = sqliteTable("refills", {
  /** `short-links`: to KV. `snapshots`: to R2. */
  kind: text("kind", { enum: refillKinds }).primaryKey(),
  /** The last key that was written; empty at the start. */
  position: text("position").notNull(),
  /** The number of entries written. */
  done: integer("done").notNull(),
  /** The number of entries at the start. */
  total: integer("total").notNull(),
  /** The operator who started it. */
  actor: text("actor").notNull(),
  /** When it began. */
  startedAt: timestamp("started_at").notNull(),
  /** When it ended; null while it runs. */
  finishedAt: timestamp("finished_at"),
  /** Whether an operator stopped it before its end. */
  stopped: integer("stopped", { mode: "boolean" }).notNull().default(false),
});
