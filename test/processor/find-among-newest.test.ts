import { describe, expect, it } from "vitest";
import { attributionOf } from "../../src/processor/attribution.ts";
import { findAmongNewest } from "../../src/processor/find-among-newest.ts";
import { HOUR } from "../support/later.ts";

const SINCE = 1_000 * HOUR;
const wanted = attributionOf({ partnerId: "acme", recordId: "r", begunAt: SINCE });
const other = (begunAt: number) => attributionOf({ partnerId: "acme", recordId: "other", begunAt });
const page = (name: string, metadata: Record<string, string> | null, count = 2) =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}_${index}`, metadata }));

/** The pages that the processor has, and what it was asked. */
function pages(...all: { id: string; metadata: Record<string, string> | null }[][]) {
  const asked: object[] = [];
  const list = (params: { limit: number; starting_after?: string }) => {
    asked.push(params);
    return Promise.resolve({ data: all[asked.length - 1] ?? [], has_more: asked.length < all.length });
  };
  return { asked, list };
}

describe("an object is looked for among the newest", () => {
  it("page by page, until it is found", async () => {
    const { asked, list } = pages(page("a", other(SINCE), 3), page("b", wanted), page("c", wanted));
    expect(await findAmongNewest(wanted, list)).toMatchObject({ id: "b_0" });
    expect(asked).toEqual([{ limit: 100 }, { limit: 100, starting_after: "a_2" }]);
  });

  it("to the last page, and is then not there", async () => {
    const { asked, list } = pages(page("a", other(SINCE)), page("b", null));
    expect(await findAmongNewest(wanted, list)).toBeNull();
    expect(asked).toHaveLength(2);
    const empty = pages([], page("b", wanted));
    expect(await findAmongNewest(wanted, empty.list)).toBeNull();
  });

  it("no further than a page that began more than 48 hours before it", async () => {
    const within = pages(page("a", other(SINCE - 48 * HOUR)), page("b", wanted));
    expect(await findAmongNewest(wanted, within.list)).toMatchObject({ id: "b_0" });
    const before = pages(page("a", other(SINCE - 48 * HOUR - 1)), page("b", wanted));
    expect(await findAmongNewest(wanted, before.list)).toBeNull();
    expect(before.asked).toHaveLength(1);
    const mixed = pages([...page("a", other(SINCE - 49 * HOUR)), ...page("x", other(SINCE))], page("b", wanted));
    expect(await findAmongNewest(wanted, mixed.list)).toMatchObject({ id: "b_0" });
    const partlySilent = pages([...page("a", other(SINCE - 49 * HOUR)), ...page("x", null)], page("b", wanted));
    expect(await findAmongNewest(wanted, partlySilent.list)).toBeNull();
    const silent = pages(page("a", null), page("b", wanted));
    expect(await findAmongNewest(wanted, silent.list)).toMatchObject({ id: "b_0" });
  });

  it("through ten pages, and then nobody knows", async () => {
    const many = pages(...Array.from({ length: 11 }, (_, index) => page(String(index), other(SINCE))));
    await expect(findAmongNewest(wanted, many.list)).rejects.toMatchObject({
      sideEffects: "unknown",
      error: { kind: "upstream_failed", upstream: "processor", code: null, message: expect.stringContaining("could not be found out") },
    });
    expect(many.asked).toHaveLength(10);
    const last = pages(...Array.from({ length: 9 }, (_, index) => page(String(index), other(SINCE))), page("last", wanted));
    expect(await findAmongNewest(wanted, last.list)).toMatchObject({ id: "last_0" });
  });
});
