import { describe, expect, it } from "vitest";
import { readList, streamList, withFurtherPages } from "../../src/http/list-stream.ts";

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
      const { whole: all, isCut } = await readList(answerOf(first, ...sizes), 1_000_000);
      expect(isCut).toBe(false);
      expect(all.count).toBe(first + sizes.reduce((sum, size) => sum + size, 0));
      expect(all.list).toHaveLength(all.count);
      expect(await textOf(answerOf(first, ...sizes))).toEqual({ success: true, list: all.list, count: all.count });
    });
  },
);

it("in memory it ends after the page with which there are enough entries, and says so", async () => {
  const cut = async (most: number) => {
    const { whole, isCut } = await readList(answerOf(2, 2, 0, 2), most);
    return [whole.count, isCut];
  };
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(cut))).toEqual([
    [2, true],
    [2, true],
    [4, true],
    [4, true],
    [6, false],
    [6, false],
    [6, false],
  ]);
});

it("an answer without a rest is given as it is", async () => {
  const answer = { success: true, list: entries(1), count: 1 };
  expect(streamList(answer, () => undefined)).toBeNull();
  expect((await readList(answer, 1)).whole).toBe(answer);
});
