import type { DatabaseName } from "../core/cell-code.ts";
import type { Database } from "./client.ts";
import type { Reach } from "./reach.ts";

/** All databases, for a query that does not know which one has the row. */
export interface AllDatabases {
  readonly databaseNames: readonly DatabaseName[];
  readonly inDatabase: (databaseName: DatabaseName) => { readonly db: Database };
  /** Set for work that answers from the reachable cells; it collects the others. Without it, every cell must answer. */
  readonly reach?: Reach | undefined;
}

/** {@link askDatabase} as a dependency, for surfaces. */
export type AskDatabase = <Answer>(databaseName: DatabaseName, ask: () => PromiseLike<Answer>) => Promise<Answer | null>;

/** The answer of a database; null for an unreachable cell if the work continues without it. */
export function askDatabase<Answer>(
  { reach }: Pick<AllDatabases, "reach">,
  databaseName: DatabaseName,
  ask: () => PromiseLike<Answer>,
): Promise<Answer | null> {
  const asked = async () => ask();
  return reach === undefined ? asked() : reach.ask(databaseName, asked);
}

/**
 * The answers of all databases, asked one after the other. The directory comes first: rows move from the directory to a
 * cell, so no row is missed.
 */
export async function askAllDatabases<Answer>(deps: AllDatabases, ask: (db: Database) => PromiseLike<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const databaseName of deps.databaseNames) {
    // The array keeps an answer of null apart from no answer.
    const answer = await askDatabase(deps, databaseName, async () => [await ask(deps.inDatabase(databaseName).db)]);
    answers.push(...(answer ?? []));
  }
  return answers;
}
