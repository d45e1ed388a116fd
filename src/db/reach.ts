import { sql } from "drizzle-orm";
import { type CellCode, type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { SECOND } from "../core/clock.ts";
import { withTimeOut } from "../core/time-out.ts";
import type { Database } from "./client.ts";

/** How long a database may take for a short answer. One that takes longer counts as out of reach. */
const ANSWER_LIMIT = 5 * SECOND;

/** The answer of a database. @throws if it fails, or is silent */
export function withinReach<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return withTimeOut(ANSWER_LIMIT, asked);
}

/** Whether a database answers at all. */
export function isReachable(db: Database): Promise<boolean> {
  return withinReach(db.get(sql`SELECT 1`)).then(
    () => true,
    () => false,
  );
}

/** What one piece of work knows about which cells answer: one that has failed once is not asked again. */
export class Reach {
  readonly #lost = new Map<CellCode, unknown>();

  /** The cells that are out of reach. */
  get lost(): ReadonlySet<CellCode> {
    return new Set(this.#lost.keys());
  }

  /** @throws the failure of a cell that is out of reach, if there is one */
  requireAll(): void {
    for (const failure of this.#lost.values()) throw failure;
  }

  /** The answer of a place; null if it is a cell out of reach. @throws if the directory fails */
  async ask<Answer>(databaseName: DatabaseName, ask: () => Promise<Answer>): Promise<Answer | null> {
    if (databaseName === DIRECTORY) return ask();
    if (this.#lost.has(databaseName)) return null;
    try {
      return await withinReach(ask());
    } catch (failure) {
      this.#lost.set(databaseName, failure);
      return null;
    }
  }
}
