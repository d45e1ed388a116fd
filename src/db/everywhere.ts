import type { Place } from "../core/cell-code.ts";
import type { Database } from "./client.ts";

/** All places. Where something is that does not say its own place, each is asked. */
export interface Everywhere {
  readonly places: readonly Place[];
  readonly inPlace: (place: Place) => { readonly db: Database };
}

/**
 * What each place answers. One after the other, the directory first: what leaves it is in a cell by then, so nothing is
 * overlooked on its way.
 */
export async function askEverywhere<Answer>(
  { places, inPlace }: Everywhere,
  ask: (db: Database) => PromiseLike<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const place of places) answers.push(await ask(inPlace(place).db));
  return answers;
}
