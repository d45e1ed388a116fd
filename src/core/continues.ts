import { SECOND } from "./clock.ts";

/** How a call that does a part of the work is repeated, by the console and by the command alike. */
export interface Continues {
  /** The field of its answer that says what is left: a number, or where the next call begins. */
  readonly left: string;
  /** The query field that the latter goes to; null for a number. */
  readonly as: string | null;
  /** The fields of its answer that add up over the calls. */
  readonly sums: readonly string[];
  /** The fields of its answer that list what one call did. */
  readonly lists?: readonly string[];
  /** The seconds until the next call after one that did nothing, because something else comes first. Left out: none. */
  readonly pause?: number;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the next call is given; null if nothing is left, or the last call did nothing, so that another would do nothing either. `continues`:
 * null for a call that does all of its work at once.
 */
export function nextPart(continues: Continues | null, given: Fields, answer: Fields): Fields | null {
  if (continues === null) return null;
  const { left: field, as, sums } = continues;
  const left = answer[field];
  if (as !== null) return typeof left === "string" ? { ...given, [as]: left } : null;
  return typeof left === "number" && left > 0 && hasDone(sums, answer) ? given : null;
}

const hasDone = (sums: readonly string[], answer: Fields): boolean =>
  sums.some((name) => typeof answer[name] === "number" && answer[name] > 0);

/** The milliseconds to wait between a call and the next. */
export const pauseAfter = (continues: Continues | null, answer: Fields): number =>
  continues?.pause === undefined || hasDone(continues.sums, answer) ? 0 : continues.pause * SECOND;

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The last answer, with what all calls did: numbers added up, and lists joined. */
export function summed(continues: Continues | null, answers: readonly Fields[]): Fields {
  const sums = (continues?.sums ?? []).map((name) => {
    const counts = answers.map((answer) => answer[name]).filter((count) => typeof count === "number");
    return [name, counts.reduce((sum, count) => sum + count, 0)] as const;
  });
  const lists = (continues?.lists ?? []).map((name) => [name, answers.flatMap((answer) => listIn(answer[name]))] as const);
  return { ...answers.at(-1), ...Object.fromEntries(lists), ...Object.fromEntries(sums) };
}
