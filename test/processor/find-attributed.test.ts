import { describe, expect, it } from "vitest";
import { attributionOf } from "../../src/processor/attribution-metadata.ts";
import { creationSpan, findAttributed } from "../../src/processor/find-attributed.ts";
import { HOUR, MINUTE } from "../support/later.ts";

const SINCE = 1_000 * HOUR;
const wanted = attributionOf({ partnerId: "acme", recordId: "r", begunAt: SINCE });
const other = (begunAt: number) => attributionOf({ partnerId: "acme", recordId: "other", begunAt });
const page = (name: string, metadata: Record<string, string> | null, count = 2) =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}_${index}`, metadata }));
const FROM_NEWEST = { after: null, until: SINCE };
const AFTER = { after: "older", until: SINCE };

/** The pages that the processor has, and what it was asked. */
function pages(...all: { id: string; metadata: Record<string, string> | null }[][]) {
  const asked: object[] = [];
  const list = (params: object) => {
    asked.push(params);
    return Promise.resolve({ data: all[asked.length - 1] ?? [], has_more: asked.length < all.length });
  };
  return { asked, list };
}

describe("an object is searched for", () => {
  it("from the newest on, page by page, where no older one is known", async () => {
    const { asked, list } = pages(page("a", other(SINCE + 1), 3), page("b", wanted), page("c", wanted));
    expect(await findAttributed(wanted, FROM_NEWEST, list)).toMatchObject({ id: "b_0" });
    expect(asked).toEqual([{ limit: 100 }, { limit: 100, starting_after: "a_2" }]);
  });

  it("from an older one on, page by page towards the newest", async () => {
    const { asked, list } = pages(page("a", other(SINCE), 3), page("b", wanted), page("c", wanted));
    expect(await findAttributed(wanted, AFTER, list)).toMatchObject({ id: "b_0" });
    expect(asked).toEqual([
      { limit: 100, ending_before: "older" },
      { limit: 100, ending_before: "a_0" },
    ]);
  });

  it.each([FROM_NEWEST, AFTER])("to the last page, and is then not there: %o", async (range) => {
    const { asked, list } = pages(page("a", other(SINCE)), page("b", null));
    expect(await findAttributed(wanted, range, list)).toBeNull();
    expect(asked).toHaveLength(2);
    const empty = pages([], page("b", wanted));
    expect(await findAttributed(wanted, range, empty.list)).toBeNull();
    expect(empty.asked).toHaveLength(1);
  });

  it("from an older one no further than a page of a workflow that started later than the last call", async () => {
    const until = pages(page("a", other(SINCE)), page("b", wanted));
    expect(await findAttributed(wanted, AFTER, until.list)).toMatchObject({ id: "b_0" });
    const later = pages([...page("a", other(SINCE)), ...page("x", other(SINCE + 1))], page("b", wanted));
    expect(await findAttributed(wanted, AFTER, later.list)).toBeNull();
    expect(later.asked).toHaveLength(1);
    const silent = pages(page("a", null), page("b", wanted));
    expect(await findAttributed(wanted, AFTER, silent.list)).toMatchObject({ id: "b_0" });
  });

  it("from the newest on no further than a page that began more than 48 hours before it", async () => {
    const within = pages(page("a", other(SINCE - 48 * HOUR)), page("b", wanted));
    const partly = pages([...page("a", other(SINCE - 49 * HOUR)), ...page("x", null)], page("b", wanted));
    expect([await findAttributed(wanted, FROM_NEWEST, partly.list), partly.asked.length]).toEqual([null, 1]);
    expect(await findAttributed(wanted, FROM_NEWEST, within.list)).toMatchObject({ id: "b_0" });
    const before = pages(page("a", other(SINCE - 48 * HOUR - 1)), page("b", wanted));
    expect(await findAttributed(wanted, FROM_NEWEST, before.list)).toBeNull();
    expect(before.asked).toHaveLength(1);
    const mixed = pages([...page("a", other(SINCE - 49 * HOUR)), ...page("x", other(SINCE))], page("b", wanted));
    expect(await findAttributed(wanted, FROM_NEWEST, mixed.list)).toMatchObject({ id: "b_0" });
    const silent = pages(page("a", null), page("b", wanted));
    expect(await findAttributed(wanted, FROM_NEWEST, silent.list)).toMatchObject({ id: "b_0" });
    const known = pages(page("a", other(SINCE - 49 * HOUR)), page("b", wanted));
    expect(await findAttributed(wanted, AFTER, known.list)).toMatchObject({ id: "b_0" });
  });

  it("through fifty pages, and then nobody knows", async () => {
    const many = pages(...Array.from({ length: 51 }, (_, index) => page(String(index), other(SINCE))));
    await expect(findAttributed(wanted, FROM_NEWEST, many.list)).rejects.toMatchObject({
      sideEffects: "unknown",
      error: { kind: "upstream_failed", upstream: "processor", code: null, message: expect.stringContaining("could not be determined") },
    });
    expect(many.asked).toHaveLength(50);
    const last = pages(...Array.from({ length: 49 }, (_, index) => page(String(index), other(SINCE))), page("last", wanted));
    expect(await findAttributed(wanted, FROM_NEWEST, last.list)).toMatchObject({ id: "last_0" });
  });
});

it("an object was created within two minutes of the calls for it", () => {
  expect(creationSpan({ from: SINCE, to: SINCE + 1 })).toEqual({ from: SINCE - 2 * MINUTE, to: SINCE + 1 + 2 * MINUTE });
});
