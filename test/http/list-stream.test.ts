import { describe, expect, it } from "vitest";
import { readWholeList, streamList, withFurtherPages } from "../../src/http/list-stream.ts";

/** An answer whose list goes on, page by page. */

const entries = (count: number, from = 0) => Array.from({ length: count }, (_, index) => ({ id: from + index, text: '"], "x": [' }));

async function* pagesOf(...sizes: number[]): AsyncGenerator<readonly object[], undefined> {
  let from = 100;
  for (const size of sizes) {
    yield entries(size, from);
    from += 100;
  }
  return undefined;
}

const answerOf = (first: number, ...sizes: number[]) => {
  const list = entries(first);
  return withFurtherPages({ success: true, list, count: list.length }, { field: "list", pages: pagesOf(...sizes) });
};

async function textOf(answer: object): Promise<unknown> {
  const stream = streamList(answer, () => undefined) ?? expect.fail("it is not streamed");
  return JSON.parse(await new Response(stream).text()) as unknown;
}

describe.each([[[2, 2, 1]], [[0, 1]], [[0, 0, 2]], [[2, 0, 1]], [[2, 0]], [[0, 0, 0]]])(
  "a list of pages of %j",
  ([first = 0, ...sizes]) => {
    it("is streamed as it is given whole, with the number of all entries", async () => {
      const all = await readWholeList(answerOf(first, ...sizes));
      expect(all.count).toBe(first + sizes.reduce((sum, size) => sum + size, 0));
      expect(all.list).toHaveLength(all.count);
      expect(await textOf(answerOf(first, ...sizes))).toEqual({ success: true, list: all.list, count: all.count });
    });
  },
);

it("an answer without a rest is given as it is", async () => {
  const answer = { success: true, list: entries(1), count: 1 };
  expect(streamList(answer, () => undefined)).toBeNull();
  expect(await readWholeList(answer)).toBe(answer);
});
