import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "./columns.ts";

/**
 * The phases of a move, stored in the target cell. `copying`: all finished rows are copied once. `verifying`: they are
 * compared with the copies. `closing`: no new work starts in the old cell. `closed`: nothing is written in the old
 * cell; changed rows are copied again, and sums are compared. Until here the move can be cancelled. `finishing`:
 * unfinished rows are copied. `switching`: the directory is updated. `switched`: the old rows are deleted.
 * `cancelling`: the copies are deleted.
 */
export const movePhases = ["copying", "verifying", "closing", "closed", "finishing", "switching", "switched", "cancelling"] as const;

/** Partners that move to this cell. The row is written in one transaction with the copied rows. */
export const arrivals = sqliteTable("arrivals", {
  partnerId: text("partner_id").primaryKey(),
  /** The code of the old cell. */
  fromCell: text("from_cell").notNull(),
  /** Whether the partner is split by time: finished rows stay in the old cell. */
  splits: integer("splits", { mode: "boolean" }).notNull().default(false),
  /** The phase: `movePhases`. */
  phase: text("phase", { enum: movePhases }).notNull(),
  /** The fencing token of the worker of this move. A worker that was replaced can no longer write. */
  epoch: integer("epoch").notNull(),
  /** The kind of rows that is being walked through. */
  kind: integer("kind").notNull(),
  /** The last key that was processed. */
  position: text("position").notNull(),
  /** The number of copied rows. */
  copied: integer("copied").notNull(),
  /** The number of rows that the comparison found different. */
  differing: integer("differing").notNull(),
  /** Whether the current transaction belongs to the move: only then are copies written. src/moves/fence.ts. */
  writing: integer("writing", { mode: "boolean" }).notNull(),
  /** Why the move is stuck; null while it continues. */
  problem: text("problem"),
  /** When an operator began the move. */
  beganAt: timestamp("began_at").notNull(),
  /** When the phase began. */
  phaseAt: timestamp("phase_at").notNull(),
});

/** `open`: the cell works as usual, and changes are noted. `closing` and `closed`: as in {@link movePhases}. */
export const outgoingPhases = ["open", "closing", "closed"] as const;

/** Partners that leave this cell. Triggers that exist only during a move read it: src/moves/fence.ts. */
export const departures = sqliteTable("departures", {
  partnerId: text("partner_id").primaryKey(),
  /** The code of the new cell. */
  toCell: text("to_cell").notNull(),
  /** How far the cell is closed to the partner: `outgoingPhases`. */
  phase: text("phase", { enum: outgoingPhases }).notNull(),
  /** As in `arrivals`. */
  epoch: integer("epoch").notNull(),
  /** When the phase began. */
  phaseAt: timestamp("phase_at").notNull(),
});

/** Their rows that changed after they were copied. They are copied again. */
export const departureChanges = sqliteTable(
  "departure_changes",
  {
    /** The order of the changes. */
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    partnerId: text("partner_id").notNull(),
    /** The table. */
    name: text("name").notNull(),
    /** The primary key of the row. */
    key: text("key").notNull(),
  },
  (table) => [index("departure_changes_of_partner").on(table.partnerId, table.seq)],
);
