import { describe, expect, it, vi } from "vitest";
import { chosenOf, withChosen } from "../../dashboard/src/objects/chosen.ts";
import { environmentIn, fileUrl, isFiltered, listQuery, PAGE_SIZE } from "../../dashboard/src/objects/list-query.ts";
import { firstWithRows } from "../../dashboard/src/objects/read-page.ts";
import { operatorsUrl } from "../../dashboard/src/ops/api/operators-url.ts";
import { operatorsPaths } from "../../dashboard/src/ops/api/paths.ts";
import { addressOf, asLeft, cameFrom, forgetLists, noteList, noteShown } from "../../dashboard/src/shared/address.ts";
import { directionOf, nextOrder, orderOf, sortedRows } from "../../dashboard/src/shared/sorting.ts";

describe("the query of a list", () => {
  const wanted = { filters: ["state", "product"], hasEnvironment: true, only: {} };

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
    expect(listQuery({ partner: "globex" }, { ...wanted, only: { partner: "acme" } })).toMatchObject({ partner: "acme" });
    expect(listQuery({ partner: "globex" }, wanted)).not.toHaveProperty("partner");
  });

  it("is narrowed by a filter that is set, and by no other", () => {
    expect(isFiltered({ state: "open" }, ["state"])).toBe(true);
    expect(isFiltered({ state: "" }, ["state"])).toBe(false);
    expect([isFiltered({ product: "p" }, ["state", "product"]), isFiltered({}, ["state"])]).toEqual([true, false]);
    expect(isFiltered({ cursor: "x", env: "test" }, ["state"])).toBe(false);
  });
});

describe("a page without rows, behind which others follow", () => {
  interface Page {
    readonly data: readonly number[];
    readonly next: string | null;
  }
  /** Reads from these pages, of which the last has no next one; null fails. */
  const read = async (pages: readonly (readonly number[] | null)[]) => {
    const asked: (string | undefined)[] = [];
    const page = await firstWithRows((cursor): Promise<Page> => {
      asked.push(cursor);
      const place = Number(cursor ?? 0);
      const data = pages[place];
      if (data === null || data === undefined) return Promise.reject(new Error("no answer"));
      return Promise.resolve({ data, next: place + 1 < pages.length ? String(place + 1) : null });
    });
    return { page, asked };
  };

  it("is passed, to the first with a row", async () => {
    expect(await read([[7], [8]])).toEqual({ page: { data: [7], next: "1" }, asked: [undefined] });
    expect(await read([[], [], [9], [10]])).toEqual({ page: { data: [9], next: "3" }, asked: [undefined, "1", "2"] });
  });

  it("is shown where it is the last one, or the sixth", async () => {
    expect(await read([[]])).toEqual({ page: { data: [], next: null }, asked: [undefined] });
    expect((await read([[], [], [], [], [], [], [6]])).page).toEqual({ data: [], next: "6" });
  });

  it("is shown where the next one does not answer, and a first one that does not is a failure", async () => {
    expect((await read([[], [], null, [1]])).page).toEqual({ data: [], next: "2" });
    await expect(read([null])).rejects.toThrow("no answer");
  });
});

describe("a file of a whole list", () => {
  it("has the filters of the page and the person's language, and begins at its first row", () => {
    const query = { environment: "test", status: "failed", since: "2026-10-01", limit: 100, cursor: "payments.list~x" };
    expect(fileUrl("movements", query, "de-DE")).toBe(
      "/partner/exports/movements?environment=test&status=failed&since=2026-10-01&locale=de-DE",
    );
  });
});

describe("the chosen rows of a list", () => {
  const chosen = { page: "one", keys: ["a", "c"] };

  it("are those of its page that are still there, in its order", () => {
    expect(chosenOf(chosen, "one", ["c", "b", "a"])).toEqual(["c", "a"]);
    expect(chosenOf(chosen, "one", ["b", "c"])).toEqual(["c"]);
  });

  it("are none of another page or of other filters", () => {
    expect([chosenOf(chosen, "two", ["a", "b"]), chosenOf(null, "one", ["a"])]).toEqual([[], []]);
  });

  it("grow by what is ticked, once, and shrink by what is unticked", () => {
    expect(withChosen(["a"], ["a", "b"], true)).toEqual(["a", "b"]);
    expect(withChosen(["a", "b", "c"], ["a", "c"], false)).toEqual(["b"]);
  });
});

describe("the way back from a page to which several lists lead", () => {
  const lists: readonly [{ to: string }, { to: string }] = [{ to: "/orders" }, { to: "/balance?tab=movements" }];

  it.each([
    ["/balance", "movements", 1],
    ["/balance", undefined, 0],
    ["/orders", undefined, 0],
    ["/", undefined, 0],
  ])("from %s %s it is the list of that page; the first one from any other", (page, tab, index) => {
    noteShown(page, tab);
    expect(cameFrom(lists)).toBe(lists[index]);
  });

  it("leads to a list as it was left, at its first rows", () => {
    const kept: Record<string, string> = {};
    const storage = {
      getItem: (place: string) => kept[place] ?? null,
      setItem: (place: string, value: string) => void Reflect.set(kept, place, value),
      removeItem: (place: string) => void Reflect.deleteProperty(kept, place),
    };
    // As in a browser, its own names are those of what is kept.
    const isKept = { ownKeys: () => Object.keys(kept), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) };
    vi.stubGlobal("sessionStorage", new Proxy(storage, isKept));
    sessionStorage.setItem("token 1", "kept");
    noteList("/balance", { tab: "movements", kind: "refund", sort: "-amount", env: "test", cursor: "x" });
    expect(asLeft("/balance?tab=movements")).toBe("/balance?tab=movements&kind=refund&sort=-amount");
    expect(asLeft("/balance?tab=payouts")).toBe("/balance?tab=payouts");
    // A webhook and a product are of one environment, which may be another by then.
    noteList("/webhooks", { webhook: "live", product: "prod_1", state: "exhausted", env: "live" });
    const { search } = addressOf(asLeft("/webhooks"));
    expect(search({ env: "live" })).toEqual({ env: "live", webhook: "live", product: "prod_1", state: "exhausted" });
    expect(search({ env: "test" })).toEqual({ env: "test", state: "exhausted" });
    expect(search({})).toEqual({ state: "exhausted" });
    // A person who signs out leaves no filters behind; what makes a repeat of a request harmless stays.
    forgetLists();
    expect([asLeft("/balance?tab=movements"), kept]).toEqual(["/balance?tab=movements", { "token 1": "kept" }]);
  });
});

describe("what a column is sorted by", () => {
  const amount = { header: "Amount", sort: "amount", sortNeeds: { filter: "currency", why: "" }, sortBy: (): number => 1 };

  it.each([
    ["the Worker's order, where its filter is set", amount, { isPart: true, set: { currency: "USD" } }, "amount"],
    ["its header without the filter, where the list is whole", amount, { isPart: false, set: {} }, "Amount"],
    ["nothing without the filter, where there are more rows", amount, { isPart: true, set: {} }, undefined],
    ["its header in a table that the Worker does not sort", amount, { isPart: false, set: null }, "Amount"],
    ["the Worker's order without a filter", { header: "Date", sort: "date" }, { isPart: true, set: {} }, "date"],
    ["its header where the Worker sorts others", { header: "Sold", sortBy: (): number => 1 }, { isPart: false, set: {} }, "Sold"],
    ["nothing where neither sorts", { header: "Date", sort: "date" }, { isPart: false, set: null }, undefined],
    ["nothing without an order", { header: "Items" }, { isPart: false, set: {} }, undefined],
  ])("is %s", (_what, column, shown, order) => expect(orderOf(column, shown)).toBe(order));
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

describe("the order of a whole list", () => {
  it("goes down, then up, then as the list comes", () => {
    expect([nextOrder("charged", undefined), nextOrder("charged", "-charged"), nextOrder("charged", "charged")]).toEqual([
      "-charged",
      "charged",
      undefined,
    ]);
    expect(nextOrder("charged", "created_at")).toBe("-charged");
  });

  it("is shown at its column alone", () => {
    expect(["charged", "-charged", "created_at", undefined].map((order) => directionOf("charged", order))).toEqual([
      "ascending",
      "descending",
      "none",
      "none",
    ]);
  });
});
