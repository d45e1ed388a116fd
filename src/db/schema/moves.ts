import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * How far a move has come, as the cell knows that gets the data. `copying`: all rows at rest are copied once. `verifying`: they
 * are compared with the copies. `closing`: no new work begins where the partner was. `closed`: nothing is written there any more;
 * what has changed is copied, and sums are compared. Until here the move can go back. `finishing`: what something is still to be
 * done with is copied. `switching`: the directory is told. `switched`: the old rows are deleted. `cancelling`: the copies are deleted.
 */
export const movePhases = ["copying", "verifying", "closing", "closed", "finishing", "switching", "switched", "cancelling"] as const;

/** Partners whose data comes to this cell. The row is written in one transaction with what was copied. */
export const arrivals = sqliteTable("arrivals", {
  partnerId: text("partner_id").primaryKey(),
  /** The code of the cell that they leave. */
  fromCell: text("from_cell").notNull(),
  /** Whether the partner is split by time: what is at rest stays where it is. */
  splits: integer("splits", { mode: "boolean" }).notNull().default(false),
  /** How far it has come: `movePhases`. */
  phase: text("phase", { enum: movePhases }).notNull(),
  /** Of whoever works on the move: one that another has taken over from writes nothing more. */
  epoch: integer("epoch").notNull(),
  /** The kind of rows that a walk is at. */
  kind: integer("kind").notNull(),
  /** The last key that it has looked at. */
  position: text("position").notNull(),
  /** Rows that were copied. */
  copied: integer("copied").notNull(),
  /** Rows that a comparison found to differ in this walk. */
  differing: integer("differing").notNull(),
  /** Whether this transaction is the move's own: only then are copies written. src/moves/fence.ts. */
  writing: integer("writing", { mode: "boolean" }).notNull(),
  /** Why it does not go on; null while it does. */
  problem: text("problem"),
  /** When an operator began the move. */
  beganAt: timestamp("began_at").notNull(),
  /** When the phase began. */
  phaseAt: timestamp("phase_at").notNull(),
});

/** `open`: all is as ever, and what changes is noted. `closing` and `closed`: as in {@link movePhases}. */
export const outgoingPhases = ["open", "closing", "closed"] as const;

/** Partners whose data leaves this cell. Triggers that exist only meanwhile read it: src/moves/fence.ts. */
export const departures = sqliteTable("departures", {
  partnerId: text("partner_id").primaryKey(),
  /** The code of the cell that they go to. */
  toCell: text("to_cell").notNull(),
  /** How far the cell is closed to the partner: `outgoingPhases`. */
  phase: text("phase", { enum: outgoingPhases }).notNull(),
  /** As in `arrivals`. */
  epoch: integer("epoch").notNull(),
  /** When the phase began. */
  phaseAt: timestamp("phase_at").notNull(),
});

/** Rows of theirs that were changed since, to be copied again. */
export const departureChanges = sqliteTable(
  "departure_changes",
  {
    /** In the order of the changes. */
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    partnerId: text("partner_id").notNull(),
    /** The table. */
    name: text("name").notNull(),
    /** The primary key of the row. */
    key: text("key").notNull(),
  },
  (table) => [index("departure_changes_of_partner").on(table.partnerId, table.seq)],
);
