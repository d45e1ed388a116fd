import { describe, expect, it } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import type { Cell } from "../../src/db/client.ts";
import { type Dated, newestFirst, PartnerData, type RowPage } from "../../src/db/partner-data.ts";

const MINUTE = 60_000;
/** How much later the rows of an earlier cell may be than the time at which the next one began. */
const CLOCKS_DIFFER = 10 * MINUTE;

const [FIRST, SECOND, THIRD] = [cellCodeOf(1), cellCodeOf(2), cellCodeOf(3)];
const NAMES = { [FIRST]: "a", [SECOND]: "b", [THIRD]: "c" } as const;
/** A database that is a name. */
const inCell = (cell: string) => ({ db: NAMES[cell as keyof typeof NAMES] as unknown as Cell });
const nameOf = (db: Cell) => db as unknown as string;
const row = (at: number, id = `r${at}`): Dated => ({ id, at });

/** A partner whose earlier cell has nothing later than `until`. */
const split = (until: number) => new PartnerData({ cell: SECOND, earlier: [{ cell: FIRST, until: until - CLOCKS_DIFFER }] }, inCell);
const whole = new PartnerData({ cell: SECOND, earlier: [] }, inCell);

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

async function newest(rows: Readonly<Record<string, readonly Dated[]>>, data: PartnerData, limit: number, from?: number) {
  const { asked, ask } = world(rows, limit);
  const found = await data.newestRows({ limit, from }, ask);
  return { ids: found.map(({ id }) => id), asked };
}

describe("the databases of a partner", () => {
  it("are its current cell and the earlier ones, the newest first, and all are asked", async () => {
    const earlier = [
      { cell: SECOND, until: 2000 },
      { cell: FIRST, until: 1000 },
    ];
    const data = new PartnerData({ cell: THIRD, earlier }, inCell);
    expect(data.cells.map(({ db }) => nameOf(db))).toEqual(["c", "b", "a"]);
    expect(await data.each(({ db }) => Promise.resolve(nameOf(db)))).toEqual(["c", "b", "a"]);
  });
});

describe("the sums of all parts", () => {
  const parts = split(50);
  /** Sums databases of ids; `copied` has the answers about copies, one after the other. */
  async function sumsOf(data: PartnerData, copies: readonly (readonly string[])[]) {
    const asked: string[] = [];
    const answers = await data.sums(
      ({ db }, until) =>
        Promise.resolve(
          copies[asked.push(`copies in ${nameOf(db)} before ${until}`) && asked.filter((one) => one.startsWith("copies")).length - 1] ?? [],
        ),
      ({ db }, without) => {
        asked.push(`${nameOf(db)} without ${without.join()}`);
        return Promise.resolve(nameOf(db));
      },
    );
    return { answers, asked };
  }

  it("are those of the only part, which is asked once", async () => {
    expect(await sumsOf(whole, [])).toEqual({ answers: ["b"], asked: ["b without "] });
  });

  it("leave out in the earlier part what was copied to the current one", async () => {
    expect(
      await sumsOf(parts, [
        ["x", "y"],
        ["x", "y"],
      ]),
    ).toEqual({
      answers: ["b", "a"],
      asked: ["copies in b before 50", "b without ", "a without x,y", "copies in b before 50"],
    });
  });

  it("are read again while a row is being copied, and never given out then", async () => {
    const { answers, asked } = await sumsOf(parts, [[], ["x"], ["x"]]);
    expect(answers).toEqual(["b", "a"]);
    expect(asked.filter((one) => one.startsWith("a"))).toEqual(["a without ", "a without x"]);
    await expect(sumsOf(parts, [["1"], ["2"], ["3"], ["4"], ["5"], ["6"]])).rejects.toThrow("go on being copied");
    expect((await sumsOf(parts, [["1"], ["2"], ["3"], ["4"], ["5"], ["5"]])).answers).toEqual(["b", "a"]);
  });
});

describe("the newest of all parts", () => {
  const parts = split(50);

  it("are those of the only part there is", async () => {
    expect(await newest({ b: [row(3), row(1)] }, whole, 5)).toEqual({ ids: ["r3", "r1"], asked: ["b"] });
    expect(await newest({}, whole, 5)).toEqual({ ids: [], asked: ["b"] });
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
    const earlier = [
      { cell: SECOND, until: 50 - CLOCKS_DIFFER },
      { cell: FIRST, until: 20 - CLOCKS_DIFFER },
    ];
    const three = new PartnerData({ cell: THIRD, earlier }, inCell);
    expect(await newest({ c: [row(80), row(30)], b: [row(40)], a: [row(10)] }, three, 2)).toEqual({
      ids: ["r80", "r40"],
      asked: ["c", "b", "c"],
    });
  });

  it("have a row once that was brought to the newest part, as it is there", async () => {
    const brought = { ...row(40), db: "new" };
    const { ask } = world({ b: [row(80), brought], a: [{ ...row(40), db: "old" } as Dated, row(30)] }, 5);
    expect(await parts.newestRows({ limit: 5, from: undefined }, ask)).toEqual([row(80), brought, row(30)]);
    // It was not there yet at first, and left the earlier part before that one was asked.
    const answers = [[row(80)], [row(80), row(40)]];
    const moving = (db: Cell) => Promise.resolve(nameOf(db) === "a" ? [row(30)] : (answers.shift() ?? []));
    expect(await parts.newestRows({ limit: 5, from: undefined }, moving)).toEqual([row(80), row(40), row(30)]);
  });
});

describe("the first part that knows anything", () => {
  it("is asked alone, if it is the newest", async () => {
    const { asked, ask } = world({ b: [row(1)], a: [row(2)] }, 5);
    expect(await split(50).firstRows(ask)).toEqual([row(1)]);
    expect(asked).toEqual(["b"]);
  });

  it("is an earlier one, or the newest to which it was just brought", async () => {
    const { asked, ask } = world({ a: [row(2)] }, 5);
    expect(await split(50).firstRows(ask)).toEqual([row(2)]);
    expect(asked).toEqual(["b", "a", "b"]);
    const answers = [[], [row(7)]];
    const moving = (db: Cell) => Promise.resolve(nameOf(db) === "b" ? (answers.shift() ?? []) : []);
    expect(await split(50).firstRows(moving)).toEqual([row(7)]);
  });
});

describe("all pages of a list", () => {
  const pagesOf = (rows: Readonly<Record<string, readonly (readonly Dated[])[]>>) =>
    async function* pages(db: Cell): AsyncGenerator<RowPage<Dated>, undefined> {
      const own = rows[nameOf(db)] ?? [[]];
      for (const [index, page] of own.entries()) yield { rows: page, isLast: index === own.length - 1 };
      return undefined;
    };
  async function read(data: PartnerData, size: number, rows: Parameters<typeof pagesOf>[0]) {
    const found: string[][] = [];
    const last: boolean[] = [];
    for await (const page of data.pages(size, pagesOf(rows))) {
      found.push(page.rows.map(({ id }) => id));
      last.push(page.isLast);
    }
    return { found, last };
  }

  it("are as they are read, where there is one database", async () => {
    expect(await read(whole, 1, { b: [[row(9), row(5)], [row(2)]] })).toEqual({ found: [["r9", "r5"], ["r2"]], last: [false, true] });
  });

  it("are in one order, each row once, and none longer than asked for", async () => {
    const rows = { b: [[row(9), row(5)], [row(2)]], a: [[row(7), row(5), row(1)]] };
    expect(await read(split(50), 2, rows)).toEqual({ found: [["r9", "r7"], ["r5", "r2"], ["r1"]], last: [false, false, true] });
    expect(await read(split(50), 5, rows)).toEqual({ found: [["r9", "r7", "r5", "r2", "r1"]], last: [true] });
    expect(await read(split(50), 5, {})).toEqual({ found: [[]], last: [true] });
  });

  it("are by their ids within a moment", async () => {
    expect(await read(split(50), 9, { b: [[row(5, "c"), row(5, "a")]], a: [[row(5, "b")]] })).toMatchObject({ found: [["c", "b", "a"]] });
  });
});
