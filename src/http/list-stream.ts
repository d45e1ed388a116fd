import { streamOf } from "./json-stream.ts";

/** Symbol key for the pages after the first; it is not part of the JSON. */
const REST = Symbol("rest");

/** The further pages of an answer's list. */
interface Rest {
  /** The name of the list field. */
  readonly field: string;
  readonly pages: AsyncGenerator<readonly object[], undefined>;
}

/** An answer whose list continues. `count` becomes the number of all entries. */
export function withFurtherPages<Answer extends object>(answer: Answer, rest: Rest): Answer {
  return { ...answer, [REST]: rest };
}

function restOf(answer: object): Rest | undefined {
  return (answer as { readonly [REST]?: Rest })[REST];
}

/** The answer with the first entries of its list in memory: whole pages, until there are `most` or more, or all. */
export async function readList<Answer extends object>(answer: Answer, most: number): Promise<{ whole: Answer; isCut: boolean }> {
  const rest = restOf(answer);
  if (rest === undefined) return { whole: answer, isCut: false };
  const entries = [...entriesOf(answer, rest.field)];
  let isCut = false;
  for await (const page of rest.pages) {
    isCut = entries.length >= most && page.length > 0;
    if (isCut) break;
    entries.push(...page);
  }
  return { whole: { ...answer, [REST]: undefined, [rest.field]: entries, count: entries.length }, isCut };
}

/**
 * The answer's JSON as a stream, with one page at a time in memory; null if there is only one page. `failed` gets an
 * error during streaming; the client sees a cut response.
 */
export function streamList(answer: object, failed: (thrown: unknown) => void): ReadableStream<Uint8Array> | null {
  const rest = restOf(answer);
  return rest === undefined ? null : streamOf(textsOf(answer, rest), failed);
}

async function* textsOf(answer: object, { field, pages }: Rest): AsyncGenerator<string, undefined> {
  const first = entriesOf(answer, field);
  let count = first.length;
  const others = JSON.stringify({ ...answer, count: undefined, [field]: undefined });
  yield `${others.slice(0, -1)},"${field}":[${listed(first)}`;
  for await (const page of pages) {
    if (page.length > 0) yield (count === 0 ? "" : ",") + listed(page);
    count += page.length;
  }
  yield `],"count":${count}}`;
  return undefined;
}

const listed = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry)).join(",");

function entriesOf(answer: object, field: string): readonly object[] {
  const entries: unknown = Reflect.get(answer, field);
  if (!Array.isArray(entries)) throw new Error(`the answer has no list ${field}`);
  return entries as readonly object[];
}
