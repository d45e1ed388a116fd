import type { Place } from "../core/cell-code.ts";
import type { Database } from "./client.ts";
import type { Reach } from "./reach.ts";

/** All places. Where something is that does not say its own place, each is asked. */
export interface Everywhere {
  readonly places: readonly Place[];
  readonly inPlace: (place: Place) => { readonly db: Database };
  /** For work that answers from what can be reached: it gets the cells that cannot. Without it, each must answer. */
  readonly reach?: Reach | undefined;
}

/** {@link askPlace}, for a surface, which gets it with its dependencies. */
export type AskPlace = <Answer>(place: Place, ask: () => PromiseLike<Answer>) => Promise<Answer | null>;

/** What a place answers; null if it is a cell out of reach, and the work goes on without it. */
export function askPlace<Answer>(
  { reach }: Pick<Everywhere, "reach">,
  place: Place,
  ask: () => PromiseLike<Answer>,
): Promise<Answer | null> {
  const asked = async () => ask();
  return reach === undefined ? asked() : reach.ask(place, asked);
}

/**
 * What each place answers. One after the other, the directory first: what leaves it is in a cell by then, so nothing is
 * overlooked on its way.
 */
export async function askEverywhere<Answer>(deps: Everywhere, ask: (db: Database) => PromiseLike<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const place of deps.places) {
    // In an array, so that an answer of null is one.
    const answer = await askPlace(deps, place, async () => [await ask(deps.inPlace(place).db)]);
    answers.push(...(answer ?? []));
  }
  return answers;
}
