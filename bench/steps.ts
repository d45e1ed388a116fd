/**
 * The product's steps on the platform for one request, recorded from the product itself. The reference repeats them.
 * Ids differ in each request, so a text is stored as parts: joined by a suffix, they are the text with other ids.
 */
export type Text = readonly string[];
/** `above`: a numeric id, to which the suffix is added. */
export type Value = Text | number | null | { readonly above: number };

export type Step =
  | {
      readonly to: "d1";
      readonly database: string;
      readonly statements: readonly { readonly sql: string; readonly values: readonly Value[] }[];
    }
  | { readonly to: "kv.get" | "r2.get"; readonly key: Text }
  | { readonly to: "kv.put" | "r2.put"; readonly key: Text; readonly value: Text }
  | { readonly to: "queue" }
  | { readonly to: "fetch"; readonly method: string; readonly url: Text; readonly body: Text | null; readonly answer: Text };

/** By the place of the step: at the edge, in the object of the key, and in the queue consumer. */
export interface Recording {
  readonly edge: readonly Step[];
  readonly object: readonly Step[];
  readonly consumer: readonly Step[];
}

/** A word that may be an id: times are shorter. */
const WORD = /[\w-]{16,}/g;

/** A number within a day of another is a time. In milliseconds. */
const DAY = 86_400_000;

/**
 * The recording of one request, made from two that differ only in their ids.
 * @throws if the steps of the two differ.
 */
export function withOtherIds(one: unknown, two: unknown): Recording {
  const ids = new Set<string | number>();
  compare(one, two, ids);
  return template(one, ids) as Recording;
}

/** A text of one request as parts, split at its ids. `ids` were found by comparing it with another text. */
export function partsOf(text: string, ids: ReadonlySet<string | number>): Text {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!ids.has(word)) continue;
    parts.push(text.slice(end, index + word.length));
    end = index + word.length;
  }
  return [...parts, text.slice(end)];
}

/** The ids of one text: the words that differ in the other one. Both must have equally many words. */
export function idsOf(one: string, two: string): ReadonlySet<string | number> {
  const ids = new Set<string | number>();
  compare(one, two, ids);
  return ids;
}

const UNLIKE = "two requests that were alike did not do the same";

function compare(one: unknown, two: unknown, ids: Set<string | number>): void {
  if (typeof one === "number" && typeof two === "number" && Math.abs(one - two) > DAY) ids.add(one);
  if (typeof one === "string" && typeof two === "string") {
    const [left, right] = [one.match(WORD) ?? [], two.match(WORD) ?? []];
    if (left.length !== right.length) throw new Error(UNLIKE);
    for (const [index, word] of left.entries()) if (word !== right[index]) ids.add(word);
    return;
  }
  if (typeof one !== "object" || one === null || typeof two !== "object" || two === null) return;
  const [left, right] = [Object.entries(one), Object.entries(two)];
  if (left.length !== right.length) throw new Error(UNLIKE);
  for (const [index, [, value]] of left.entries()) compare(value, right[index]?.[1], ids);
}

/** Fields without texts of the request. */
const FIXED = new Set(["to", "database", "sql", "method"]);

function template(value: unknown, ids: ReadonlySet<string | number>): unknown {
  if (typeof value === "number" && ids.has(value)) return { above: value };
  if (typeof value === "string") return partsOf(value, ids);
  if (Array.isArray(value)) return value.map((each) => template(each, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, FIXED.has(name) ? each : template(each, ids)]));
}
