import type { DatabaseName } from "../core/cell-code.ts";
import type { Database } from "./client.ts";
import type { Reach } from "./reach.ts";

/** All places. Where something is that does not say its own place, each is asked. */
export interface AllDatabases {
  readonly databaseNames: readonly DatabaseName[];
  readonly inDatabase: (databaseName: DatabaseName) => { readonly db: Database };
  /** For work that answers from what can be reached: it gets the cells that cannot. Without it, each must answer. */
  readonly reach?: Reach | undefined;
}

/** {@link askDatabase}, for a surface, which gets it with its dependencies. */
export type AskDatabase = <Answer>(databaseName: DatabaseName, ask: () => PromiseLike<Answer>) => Promise<Answer | null>;

/** What a place answers; null if it is a cell out of reach, and the work goes on without it. */
export function askDatabase<Answer>(
  { reach }: Pick<AllDatabases, "reach">,
  databaseName: DatabaseName,
  ask: () => PromiseLike<Answer>,
): Promise<Answer | null> {
  const asked = async () => ask();
  return reach === undefined ? asked() : reach.ask(databaseName, asked);
}

/**
 * What each place answers. One after the other, the directory first: what leaves it is in a cell by then, so nothing is
 * overlooked on its way.
 */
export async function askAllDatabases<Answer>(deps: AllDatabases, ask: (db: Database) => PromiseLike<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const databaseName of deps.databaseNames) {
    // In an array, so that an answer of null is one.
    const answer = await askDatabase(deps, databaseName, async () => [await ask(deps.inDatabase(databaseName).db)]);
    answers.push(...(answer ?? []));
  }
  return answers;
}
