import { describe, expect, it } from "vitest";
import { newestOfBoth } from "../../src/http/objects/find-way.ts";

const context = { caller: { partnerId: "acme" } };
const rows = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/** Reads these pages of the live environment, and nothing of the other. */
async function search(pages: readonly number[][]) {
  const asked: unknown[] = [];
  const found = await newestOfBoth<number>(context, async ({ environment, before, partnerId, limit }) => {
    if (environment === "test") return { rows: [], next: null };
    asked.push([partnerId, limit, before?.at]);
    const page = before?.at ?? 0;
    return { rows: pages[page] ?? [], next: page + 1 < pages.length ? { at: page + 1, id: "" } : null };
  });
  return { found, pages: asked.length, asked };
}

describe("a search", () => {
  it("goes on behind pages without a row, to the end of the list", async () => {
    expect(await search([[], [], rows(3), rows(1)])).toMatchObject({ found: rows(3), pages: 3 });
    expect((await search([[], []])).asked).toEqual([
      ["acme", 10, undefined],
      ["acme", 10, 1],
    ]);
  });

  it("reads five pages at most", async () => {
    expect(await search([[], [], [], [], [5], [6]])).toMatchObject({ found: [5], pages: 5 });
  });
});
