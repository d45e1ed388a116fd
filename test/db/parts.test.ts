import { describe, expect, it } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import type { Cell } from "../../src/db/client.ts";
import { type Dated, firstOfParts, mergeParts, newestFirst, newestOfParts, type Part, partsOf } from "../../src/db/parts.ts";

const MINUTE = 60_000;

/** A part whose database is a name. */
const part = (name: string, until = Number.POSITIVE_INFINITY): Part => ({ db: name as unknown as Cell, until });
const nameOf = (db: Cell) => db as unknown as string;
const row = (at: number, id = `r${at}`): Dated => ({ id, at });

/** What each part has, and which were asked. */
function world(rows: Readonly<Record<string, readonly Dated[]>>, limit: number) {
  const asked: string[] = [];
  const ask = (db: Cell) => {
    const name = nameOf(db);
    asked.push(name);
    return Promise.resolve((rows[name] ?? []).toSorted(newestFirst).slice(0, limit));
  };
  return { asked, ask };
}

async function newest(rows: Readonly<Record<string, readonly Dated[]>>, parts: readonly Part[], limit: number, from?: number) {
  const { asked, ask } = world(rows, limit);
  const found = await newestOfParts(parts, { limit, from }, ask);
  return { ids: found.map(({ id }) => id), asked };
}

describe("the parts of a partner's data", () => {
  it("are its newest cell and the earlier ones, until some minutes after the next one began", () => {
    const inCell = (cell: string) => ({ db: cell as unknown as Cell });
    const earlier = [
      { cell: cellCodeOf(2), until: 2000 },
      { cell: cellCodeOf(1), until: 1000 },
    ];
    expect(partsOf({ db: "newest" as unknown as Cell, inCell }, { earlier })).toEqual([
      part("newest"),
      part("02", 2000 + 10 * MINUTE),
      part("01", 1000 + 10 * MINUTE),
    ]);
  });
});

describe("the newest of all parts", () => {
  const parts = [part("b"), part("a", 50)];

  it("are those of the only part there is", async () => {
    expect(await newest({ b: [row(3), row(1)] }, [part("b")], 5)).toEqual({ ids: ["r3", "r1"], asked: ["b"] });
    expect(await newest({}, [], 5)).toEqual({ ids: [], asked: [] });
  });

  it("are those of the newest part, if it has enough of its own time", async () => {
    expect(await newest({ b: [row(80), row(51)], a: [row(49)] }, parts, 2)).toEqual({ ids: ["r80", "r51"], asked: ["b"] });
  });

  it("go on in the earlier part, also where the newest has enough, but of the earlier one's time", async () => {
    const asked = ["b", "a", "b"];
    expect(await newest({ b: [row(80), row(50)], a: [row(50, "s50")] }, parts, 2)).toEqual({ ids: ["r80", "s50"], asked });
    expect(await newest({ b: [row(80), row(20)], a: [row(40), row(30)] }, parts, 2)).toEqual({ ids: ["r80", "r40"], asked });
    expect(await newest({ b: [row(80)], a: [row(40), row(30)] }, parts, 3)).toEqual({ ids: ["r80", "r40", "r30"], asked });
  });

  it("do not ask for what is before the period", async () => {
    expect(await newest({ b: [row(80)], a: [row(40)] }, parts, 3, 51)).toEqual({ ids: ["r80"], asked: ["b"] });
    expect((await newest({ b: [row(80)], a: [row(50)] }, parts, 3, 50)).ids).toEqual(["r80", "r50"]);
  });

  it("ask only those of several earlier parts that may have some", async () => {
    const three = [part("c"), part("b", 50), part("a", 20)];
    expect(await newest({ c: [row(80), row(30)], b: [row(40)], a: [row(10)] }, three, 2)).toEqual({
      ids: ["r80", "r40"],
      asked: ["c", "b", "c"],
    });
  });

  it("have a row once that was brought to the newest part, as it is there", async () => {
    const brought = { ...row(40), db: "new" };
    const { ask } = world({ b: [row(80), brought], a: [{ ...row(40), db: "old" } as Dated, row(30)] }, 5);
    expect(await newestOfParts(parts, { limit: 5, from: undefined }, ask)).toEqual([row(80), brought, row(30)]);
    // It was not there yet at first, and left the earlier part before that one was asked.
    const answers = [[row(80)], [row(80), row(40)]];
    const moving = (db: Cell) => Promise.resolve(nameOf(db) === "a" ? [row(30)] : (answers.shift() ?? []));
    expect(await newestOfParts(parts, { limit: 5, from: undefined }, moving)).toEqual([row(80), row(40), row(30)]);
  });
});

describe("the first part that knows anything", () => {
  it("is asked alone, if it is the newest", async () => {
    const { asked, ask } = world({ b: [row(1)], a: [row(2)] }, 5);
    expect(await firstOfParts([part("b"), part("a")], ask)).toEqual([row(1)]);
    expect(asked).toEqual(["b"]);
    expect(await firstOfParts([], ask)).toEqual([]);
  });

  it("is an earlier one, or the newest to which it was just brought", async () => {
    const { asked, ask } = world({ a: [row(2)] }, 5);
    expect(await firstOfParts([part("b"), part("a")], ask)).toEqual([row(2)]);
    expect(asked).toEqual(["b", "a", "b"]);
    const answers = [[], [row(7)]];
    const moving = (db: Cell) => Promise.resolve(nameOf(db) === "b" ? (answers.shift() ?? []) : []);
    expect(await firstOfParts([part("b"), part("a")], moving)).toEqual([row(7)]);
  });
});

describe("all rows, one after the other", () => {
  async function* stream(...rows: Dated[]): AsyncGenerator<Dated, undefined> {
    yield* rows;
    return undefined;
  }

  it("are in one order, each once", async () => {
    const found: string[] = [];
    for await (const { id } of mergeParts([stream(row(9), row(5), row(2)), stream(row(7), row(5), row(1)), stream()])) found.push(id);
    expect(found).toEqual(["r9", "r7", "r5", "r2", "r1"]);
  });

  it("are by their ids within a moment", async () => {
    const found: string[] = [];
    for await (const { id } of mergeParts([stream(row(5, "c"), row(5, "a")), stream(row(5, "b"))])) found.push(id);
    expect(found).toEqual(["c", "b", "a"]);
  });
});
