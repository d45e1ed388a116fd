import { describe, expect, it, vi } from "vitest";
import { environmentIn, fileName, isFiltered, listQuery, PAGE_SIZE } from "../../dashboard/src/objects/list-query.ts";
import { readAll } from "../../dashboard/src/objects/read-all.ts";
import { operatorsUrl } from "../../dashboard/src/ops/api/operators-url.ts";
import { operatorsPaths } from "../../dashboard/src/ops/api/paths.ts";
import { csvText } from "../../dashboard/src/shared/csv-text.ts";
import { directionOf, nextSorting, sortedRows } from "../../dashboard/src/shared/sorting.ts";

describe("the query of a list", () => {
  const wanted = { filters: ["state", "product"], hasEnvironment: true, partner: undefined };

  it("has the filters, the environment and the page that stand in the address, and nothing else", () => {
    const search = { env: "test", state: "open", product: "", utm_source: "mail", cursor: "links.list~x" };
    expect(listQuery(search, wanted)).toEqual({ environment: "test", state: "open", limit: PAGE_SIZE, cursor: "links.list~x" });
  });

  it("is of live data unless the address says test, and of no environment where rows have none", () => {
    expect([environmentIn({}), environmentIn({ env: "live" }), environmentIn({ env: "test" }), environmentIn({ env: "x" })]).toEqual([
      "live",
      "live",
      "test",
      "live",
    ]);
    expect(listQuery({ env: "test" }, { ...wanted, hasEnvironment: false })).toStrictEqual({ limit: PAGE_SIZE });
  });

  it("names the one partner of the list, whatever the address says", () => {
    expect(listQuery({ partner: "globex" }, { ...wanted, partner: "acme" })).toMatchObject({ partner: "acme" });
    expect(listQuery({ partner: "globex" }, wanted)).not.toHaveProperty("partner");
  });

  it("is narrowed by a filter that is set, and by no other", () => {
    expect(isFiltered({ state: "open" }, ["state"])).toBe(true);
    expect(isFiltered({ state: "" }, ["state"])).toBe(false);
    expect([isFiltered({ product: "p" }, ["state", "product"]), isFiltered({}, ["state"])]).toEqual([true, false]);
    expect(isFiltered({ cursor: "x", env: "test" }, ["state"])).toBe(false);
  });
});

describe("a file of a whole list", () => {
  const pages = [
    { data: [1, 2], next: "a" },
    { data: [], next: "b" },
    { data: [3], next: null },
  ];
  const reader = () => {
    let page = 0;
    return vi.fn(async (_cursor: string | undefined) => pages[page++] ?? { data: [], next: null });
  };

  it("has the rows of every page, in order", async () => {
    const read = reader();
    const counts: number[] = [];
    const found = await readAll(read, { rows: 10, pages: 10 }, (count) => counts.push(count) > 0);
    expect(found).toEqual({ rows: [1, 2, 3], isWhole: true });
    expect(read.mock.calls).toEqual([[undefined], ["a"], ["b"]]);
    expect(counts).toEqual([2, 2, 3]);
  });

  it.each([
    [{ rows: 2, pages: 10 }, [1, 2], 1],
    [{ rows: 10, pages: 2 }, [1, 2], 2],
  ])("that would be longer than %j is cut, and says so", async (bounds, rows, calls) => {
    const read = reader();
    expect(await readAll(read, bounds, () => true)).toEqual({ rows, isWhole: false });
    expect(read).toHaveBeenCalledTimes(calls);
  });

  it("is not read on when its reader has left", async () => {
    const read = reader();
    expect(await readAll(read, { rows: 10, pages: 10 }, () => false)).toEqual({ rows: [1, 2], isWhole: false });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("has a column for each field of any row, or those that are named", () => {
    const rows = [
      { id: "a", amount: 1.5 },
      { id: "b", note: 'say "x", y', made: { keys: [] } },
    ];
    expect(csvText(rows).split("\r\n")).toEqual(["id,amount,note,made", "a,1.5,,", 'b,,"say ""x"", y","{""keys"":[]}"']);
    expect(csvText(rows, ["note", "id"]).split("\r\n")).toEqual(["note,id", ",a", '"say ""x"", y",b']);
  });

  it("is named by its list, its environment and its period, so that two months are two files", () => {
    expect(fileName("payments", "live", { since: "2026-01-01", until: "2026-01-31", status: "failed" })).toBe(
      "payments-live-from-2026-01-01-to-2026-01-31",
    );
    expect([fileName("payments", "test", { since: "" }), fileName("keys", null, { until: "2026-01-31" })]).toEqual([
      "payments-test",
      "keys-to-2026-01-31",
    ]);
  });

  it("has no cell that a spreadsheet takes for a formula, also inside an object", () => {
    expect(csvText([{ name: "=1+1", amount: -3 }])).toBe("name,amount\r\n'=1+1,-3");
    expect(csvText([{ none: null, flag: true, list: ["=x"] }])).toBe('none,flag,list\r\n,true,"[""=x""]"');
    expect(csvText([{ list: ["a", "@sum"] }])).toContain('[""a"",""@sum""]');
  });
});

describe("a sorted table", () => {
  const rows = [
    { name: "b", sum: 9 },
    { name: "a", sum: 10 },
    { name: "c", sum: null },
    { name: "d", sum: null },
    { name: "e", sum: 8 },
  ];

  it("orders numbers as numbers and texts as texts, in both directions, with the unknown at the end", () => {
    const by = (isDown: boolean) => sortedRows(rows, ({ sum }) => sum, isDown).map(({ sum }) => sum);
    expect([by(true), by(false)]).toEqual([
      [10, 9, 8, null, null],
      [8, 9, 10, null, null],
    ]);
    expect(sortedRows([null, 1, null, 2, null], (row) => row, true)).toEqual([2, 1, null, null, null]);
    expect(sortedRows(["10", "9", "x"], (row) => row, true)).toEqual(["x", "9", "10"]);
    // Rows of which nothing is known stay in their order.
    expect(sortedRows(rows, ({ sum }) => (sum === null ? null : 1), true).map(({ name }) => name)).toEqual(["b", "a", "e", "c", "d"]);
    expect(sortedRows(rows, ({ name }) => name, true).map(({ name }) => name)).toEqual(["e", "d", "c", "b", "a"]);
    expect(sortedRows(rows, ({ name }) => name, false).map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("is sorted down, up, and as it came, click by click; another column begins anew", () => {
    const first = nextSorting("Amount", null);
    const second = nextSorting("Amount", first);
    expect([first, second, nextSorting("Amount", second)]).toEqual([
      { header: "Amount", isDown: true },
      { header: "Amount", isDown: false },
      null,
    ]);
    expect(nextSorting("Date", second)).toEqual({ header: "Date", isDown: true });
    expect(["Amount", "Date"].map((header) => directionOf(header, first))).toEqual(["descending", "none"]);
    expect([directionOf("Amount", second), directionOf("Amount", null)]).toEqual(["ascending", "none"]);
  });
});

describe("the pages of objects, for an operator", () => {
  const urlOf = (path: string) =>
    operatorsUrl(new URL(`https://console.example${path}`), operatorsPaths)?.href.slice("https://console.example".length);

  it.each([
    ["/partner/links?state=open&partner=acme", "/ops/payment-links?state=open&partner=acme"],
    ["/partner/links/plink_1%2F2", "/ops/payment-links/plink_1%2F2"],
    ["/partner/keys?partner=acme&limit=100", "/ops/partners/acme/keys?limit=100"],
    ["/partner/people?limit=1&partner=a%20b", "/ops/partners/a%20b/employees?limit=1"],
    ["/partner/deliveries/evt_1/resend", "/ops/deliveries/evt_1/resend"],
  ])("ask %s as %s", (own, operators) => expect(urlOf(own)).toBe(operators));

  it("keep a parameter that the path has, and have only whole parts of a path as parameters", () => {
    const paths = { "/own/{id}": "/ops/{id}", "/a/x{id}": "/wrong/{id}", "/b/{id}x": "/wrong/{id}", "/c/fixed": "/ops/c" };
    const at = (path: string) =>
      operatorsUrl(new URL(`https://console.example${path}`), paths)?.href.slice("https://console.example".length);
    expect([at("/own/1?id=2&x=3"), at("/a/x1"), at("/b/1x"), at("/c/fixed"), at("/c/other")]).toEqual([
      "/ops/1?id=2&x=3",
      undefined,
      undefined,
      "/ops/c",
      undefined,
    ]);
  });

  it.each(["/partner/session", "/partner/links/a/b/c", "/partner", "/ops/links"])("ask nothing at %s", (path) => {
    expect(urlOf(path)).toBeUndefined();
  });
});
