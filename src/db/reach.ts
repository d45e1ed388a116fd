import { sql } from "drizzle-orm";
import { type CellCode, type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { SECOND } from "../core/clock.ts";
import { withTimeOut } from "../core/time-out.ts";
import type { Database } from "./client.ts";

/** The time limit for a short query. A slower database counts as unreachable. */
const ANSWER_LIMIT = 5 * SECOND;

/** The answer of a database. @throws if it fails or does not answer in time */
export function withinReach<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return withTimeOut(ANSWER_LIMIT, asked);
}

/** Whether a database answers. */
export function isReachable(db: Database): Promise<boolean> {
  return withinReach(db.get(sql`SELECT 1`)).then(
    () => true,
    () => false,
  );
}

/** Which cells answer during one piece of work. A cell that failed once is not asked again. */
export class Reach {
  readonly #lost = new Map<CellCode, unknown>();

  /** The unreachable cells. */
  get lost(): ReadonlySet<CellCode> {
    return new Set(this.#lost.keys());
  }

  /** @throws the failure of an unreachable cell, if there is one */
  requireAll(): void {
    for (const failure of this.#lost.values()) throw failure;
  }

  /** The answer of a database; null for an unreachable cell. @throws if the directory fails */
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
