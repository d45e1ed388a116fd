import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditOf, change, ops } from "../support/ops.ts";

const HEAD = "partner_id,kind,environment,name,type,currency,unit_amount,interval,interval_count,payment_method_types,id,terminal,vat";

const send = (body: string, query = "", type = "text/csv") =>
  ops(`imports/products${query}`, { method: "POST", body, headers: { "Content-Type": type } });

const countOf = async () => [
  await env.DIRECTORY.prepare("SELECT count(*) AS count FROM card_products").first<number>("count"),
  await env.DIRECTORY.prepare("SELECT count(*) AS count FROM ruble_products").first<number>("count"),
];

let made = 0;
const name = () => {
  made += 1;
  return `Imported ${made}`;
};

it("adds the products of a CSV file, of both kinds and several partners, to be moderated", async () => {
  const [cards = 0, rubles = 0] = await countOf();
  const file = [
    HEAD,
    `acme,card,live,"${name()}, with a comma",one_time,USD,1900,,,card|link,,,`,
    `globex,card,test,${name()},subscription,EUR,900,month,3,,,,`,
    `acme,ruble,,${name()},,,50000,,,,8001,first,none`,
    "",
    `acme,ruble,,${name()},,,60000,,,,,first,vat20`,
  ].join("\r\n");
  const answer = await send(`\uFEFF${file}\r\n`);
  expect(answer.body).toMatchObject({ imported: true, imported_before: false, products: 4, faults: [] });
  expect(await countOf()).toEqual([(cards ?? 0) + 2, (rubles ?? 0) + 2]);
  const { data } = (await ops("partners/globex/products?limit=100")).body;
  expect(data).toContainEqual(
    expect.objectContaining({ type: "subscription", interval: "month", interval_count: 3, environment: "test", moderation: "in_review" }),
  );
  expect((await ops("products/ruble/8001")).body).toMatchObject({ unit_amount: 50_000, currency: "RUB", vat: "none", partner_id: "acme" });
  expect((await ops("products/ruble/8002")).body).toMatchObject({ unit_amount: 60_000, vat: "vat20" });
  expect(await auditOf(answer.body.import_id)).toMatchObject([
    { action: "products.import", partner_id: "globex", after: { card: 1, ruble: 0 } },
    { action: "products.import", partner_id: "acme", after: { card: 1, ruble: 2 } },
  ]);
  const { product } = (await change("products/ruble/8001/approve")).body;
  expect(product).toMatchObject({ moderation: "approved" });
});

it("adds the products of a JSON file", async () => {
  const file = JSON.stringify([
    {
      partner_id: "acme",
      kind: "card",
      environment: "live",
      name: name(),
      type: "one_time",
      currency: "USD",
      unit_amount: 1900,
      description: "Long",
    },
  ]);
  expect((await send(file, "", "application/json")).body).toMatchObject({ imported: true, products: 1 });
});

it("is done once for one file, however often it is sent", async () => {
  const file = `${HEAD}\nacme,card,live,${name()},one_time,USD,1900,,,,,,\nacme,ruble,,${name()},,,50000,,,,8201,first,none`;
  const first = (await send(file)).body;
  const before = await countOf();
  expect((await send(file)).body).toEqual({ ...first, imported_before: true });
  expect(await countOf()).toEqual(before);
  expect(await auditOf(first.import_id)).toHaveLength(1);
});

it("only checks the file where that is wanted", async () => {
  const before = await countOf();
  const file = `${HEAD}\nacme,card,live,${name()},one_time,USD,1900,,,,,,`;
  expect((await send(file, "?dry_run=true")).body).toMatchObject({ imported: false, products: 1, faults: [] });
  expect(await countOf()).toEqual(before);
  expect((await send(file)).body).toMatchObject({ imported: true, imported_before: false });
});

it("adds nothing while a line is wrong, and reports each by its line", async () => {
  const before = await countOf();
  const file = [
    HEAD,
    `acme,card,live,${name()},one_time,USD,1900,,,,,,`,
    `nobody,card,live,${name()},one_time,USD,1900,,,,,,`,
    `acme,card,live,${name()},one_time,USD,19.00,,,,,,`,
    `acme,card,live,${name()},subscription,USD,1900,,,,,,`,
    `,card,live,${name()},one_time,USD,1900,,,,,,`,
    `acme,ruble,,${name()},,,50000,,,,1001,first,none`,
    `acme,ruble,,${name()},,,50000,,,,8101,first,none`,
    `acme,ruble,,${name()},,,50000,,,,8101,first,none`,
    `acme,else,,${name()},,,50000,,,,,,`,
    "",
    `acme,card,live,"${name()}\nin two lines",one_time,USD,1900,,,,,,`,
    `acme,card,live,${name()},one_time,EURO,1900,,,,,,`,
  ].join("\n");
  const { status, body } = await send(file);
  expect([status, body]).toMatchObject([422, { success: false, imported: false }]);
  expect(await send(file, "?dry_run=true")).toMatchObject({ status: 200, body: { success: false, faults: body.faults } });
  const faults = body.faults.map(({ line, message }: { line: number; message: string }) => `${line} ${message}`);
  expect(faults).toEqual([
    expect.stringMatching(/^3 partner_id: there is no partner nobody/),
    expect.stringMatching(/^4 unit_amount:/),
    expect.stringMatching(/^5 interval: is missing/),
    expect.stringMatching(/^6 partner_id: is missing/),
    expect.stringMatching(/^7 the product 1001 already exists/),
    expect.stringMatching(/^9 8101 is also on line 8/),
    expect.stringMatching(/^10 kind:/),
    expect.stringMatching(/^14 currency:/),
  ]);
  expect(await countOf()).toEqual(before);
});

it("reports all faults of a line, each with the value", async () => {
  const { body } = await send(`${HEAD}\nacme,card,somewhere,${name()},one_time,USD,19.00,,,,,,`);
  expect(body.faults).toEqual([
    { line: 2, field: "environment", message: expect.stringMatching(/^environment: .* \(it is "somewhere"\)$/) },
    {
      line: 2,
      field: "unit_amount",
      message: 'unit_amount: must be a whole number of minor units, 1900 for 19.00; or say that prices are in major units (it is "19.00")',
    },
  ]);
});

describe("prices in major units, where the caller says so", () => {
  const fileWith = (...amounts: string[]) =>
    [HEAD, ...amounts.map((amount) => `acme,card,live,${name()},one_time,USD,"${amount}",,,,,,`)].join("\n");
  const asked = "?dry_run=true&prices=major";

  it.each([
    ["19", "19.00 USD"],
    ["19.9", "19.90 USD"],
    ["19.99", "19.99 USD"],
    ["19,99", "19.99 USD"],
    ["0.50", "0.50 USD"],
    ["1 234,50", "1,234.50 USD"],
    ["1\u00a0234", "1,234.00 USD"],
    ["1,234.50", "1,234.50 USD"],
    ["1.234,50", "1,234.50 USD"],
    ["1.234,5", "1,234.50 USD"],
    ["999999.99", "999,999.99 USD"],
  ])("%s is %s", async (amount, price) => {
    const { body } = await send(fileWith(amount), asked);
    expect([body.success, body.preview.map((one: { price: string }) => one.price)]).toEqual([true, [price]]);
  });

  it.each(["1,234", "1.234", "19.999", "1,234,567", "12,34.50", "-19", "19 USD", "1e3", "12 34"])(
    "%s is refused at its cell",
    async (amount) => {
      const { status, body } = await send(fileWith("19.99", amount), "?prices=major");
      expect([status, body.imported, body.faults]).toEqual([
        422,
        false,
        [{ line: 3, field: "unit_amount", message: `unit_amount: must be an amount such as 19.99 (it is ${JSON.stringify(amount)})` }],
      ]);
    },
  );

  it("a price below the least of a cart is refused in either unit", async () => {
    for (const [amount, query] of [
      ["0.49", "?prices=major"],
      ["49", ""],
    ] as const)
      expect((await send(fileWith(amount), query)).body.faults).toMatchObject([{ line: 2, field: "unit_amount" }]);
  });

  it("is stored in minor units, of CSV and of JSON, and the file is not taken again with the other unit", async () => {
    const title = name();
    const row = { partner_id: "acme", kind: "ruble", name: title, unit_amount: 1234.5, terminal: "first", vat: "none", id: 8301 };
    const sendJson = (query: string) => send(JSON.stringify([row]), query, "application/json");
    expect((await sendJson("?prices=major")).body).toMatchObject({
      imported: true,
      preview: [{ line: 1, partner_id: "acme", name: title, price: "1,234.50 RUB" }],
    });
    expect((await ops("products/ruble/8301")).body).toMatchObject({ unit_amount: 123_450 });
    expect((await sendJson("?prices=major")).body).toMatchObject({ imported_before: true });
    for (const query of ["?prices=minor", "", "?dry_run=true"]) {
      expect(await sendJson(query)).toMatchObject({
        status: 409,
        body: { success: false, error: expect.stringContaining("prices in major units") },
      });
    }
    expect((await ops("products/ruble/8301")).body).toMatchObject({ unit_amount: 123_450 });
  });

  it("shows at most twenty products, and semicolons do", async () => {
    const file = fileWith(...Array.from({ length: 25 }, () => "19,99")).replaceAll('"', "");
    const semicolons = file.replaceAll("19,99", "@").replaceAll(",", ";").replaceAll("@", "19,99");
    const { body } = await send(semicolons, asked);
    expect([body.products, body.preview.length, body.preview[0].price]).toEqual([25, 20, "19.99 USD"]);
  });
});

describe("a file as a spreadsheet saves it", () => {
  const fileWith = (title: string) => `${HEAD}\nacme,card,live,${title},one_time,USD,1900,,,,,,`;
  const nameOf = async (title: string) => (await ops("partners/acme/products?limit=100")).body.data.some((one: any) => one.name === title);
  const sendBytes = (bytes: Uint8Array) =>
    ops("imports/products", { method: "POST", body: bytes, headers: { "Content-Type": "text/csv" } });
  const utf16 = (text: string, isLittle: boolean) => {
    const view = new DataView(new ArrayBuffer(2 * text.length + 2));
    for (const [index, character] of Array.from(`\uFEFF${text}`).entries()) view.setUint16(2 * index, character.charCodeAt(0), isLittle);
    return new Uint8Array(view.buffer);
  };
  const cp1251 = (text: string) =>
    Uint8Array.from(text, (character) => {
      const code = character.charCodeAt(0);
      if (code < 128) return code;
      return character === "ё" ? 0xb8 : code - 0x0410 + 0xc0;
    });

  it.each([
    ["UTF-16, the smaller byte first", (text: string) => utf16(text, true)],
    ["UTF-16, the larger byte first", (text: string) => utf16(text, false)],
    ["Windows-1251", cp1251],
    ["UTF-8", (text: string) => new TextEncoder().encode(text)],
  ])("keeps its Russian names: %s", async (_what, encode) => {
    const title = `Чёрный чай ${name()}`;
    expect((await sendBytes(encode(fileWith(title)))).body).toMatchObject({ imported: true, products: 1 });
    expect(await nameOf(title)).toBe(true);
  });

  it.each([
    ["a text of Western Europe", Uint8Array.from(fileWith("caf\u00e9, \u00a9, \u00b1, \u00a7"), (character) => character.charCodeAt(0))],
    ["UTF-16 without its mark", utf16(fileWith("plain"), true).slice(2)],
    // "чай чёрный": small letters are where Windows-1251 has the capitals.
    [
      "KOI8-R",
      Uint8Array.from([
        ...Array.from(fileWith(""), (character) => character.charCodeAt(0)),
        0xde,
        0xc1,
        0xca,
        0x20,
        0xde,
        0xa3,
        0xd2,
        0xce,
        0xd9,
        0xca,
      ]),
    ],
    ["what is no text at all", Uint8Array.of(0xff, 0xfe, 0x00, 0xd8, 0x00)],
  ])("is refused in another encoding: %s", async (_what, bytes) => {
    expect(await sendBytes(bytes)).toMatchObject({ status: 400, body: { error: expect.stringContaining("save it as UTF-8") } });
  });
});

describe("a file that is written in another way", () => {
  const head = "partner_id;kind;environment;name;type;currency;unit_amount";
  const row = "acme;card;test;Tea;one_time;USD;1900";
  const product = {
    partner_id: "acme",
    kind: "card",
    environment: "test",
    name: "Tea",
    type: "one_time",
    currency: "USD",
    unit_amount: 1900,
  };

  it.each([
    ["a line that says the delimiter", `sep=;\r\n${head}\r\n${row}\r\n`, 3],
    ["cells that are empty at the end of rows", `${head}\n${row};;\n`, 2],
    ["columns without a name", `${head};;\n${row};;\n`, 2],
    ["empty lines before the names", `\r\n;;\r\n${head}\r\n${row}`, 4],
    ["names in capitals", `\uFEFF${head.toUpperCase()}\n${row}`, 2],
    ["a delimiter that commas do not suit", `sep=|\n${head.replaceAll(";", "|")}\n${row.replaceAll(";", "|")}`, 3],
    ["one product of JSON", JSON.stringify(product, null, 2), 1],
    ["a product of JSON on each line", `\n${JSON.stringify(product)}\n${JSON.stringify({ ...product, name: "Coffee" })}\n`, 2],
  ])("is read: %s", async (_what, file, line) => {
    const { body } = await send(file, "?dry_run=true");
    expect(body).toMatchObject({ success: true, faults: [] });
    expect(body.preview[0]).toEqual({ line, partner_id: "acme", name: "Tea", price: "19.00 USD" });
  });
});

it("names a terminal that there is not, and an approval does too", async () => {
  const wrong = `${HEAD}\nacme,ruble,,Чай,,,1900,,,,,third,none`;
  expect((await send(wrong)).body).toMatchObject({
    imported: false,
    faults: [{ line: 2, field: "terminal", message: expect.stringMatching(/^terminal: must be a terminal of BANK_TERMINALS: first/) }],
  });
  expect((await send(wrong.replace("third", "first"))).body).toMatchObject({ imported: true });
  const id = await env.DIRECTORY.prepare("UPDATE ruble_products SET terminal = 'gone' WHERE name = 'Чай' RETURNING id").first("id");
  expect(await change(`products/ruble/${String(id)}/approve`)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining("must be a terminal of BANK_TERMINALS") },
  });
});

it("takes ten thousand lines, and no more", async () => {
  const lines = (count: number) =>
    [HEAD, ...Array.from({ length: count }, (_, index) => `globex,card,test,Bulk ${index},one_time,USD,1900,,,,,,`)].join("\n");
  const [cards = 0] = await countOf();
  expect((await send(lines(10_000))).body).toMatchObject({ imported: true, products: 10_000 });
  expect((await countOf())[0]).toBe((cards ?? 0) + 10_000);
  expect((await send(lines(10_000).replaceAll("\n", "\n\n"))).body).toMatchObject({ error: expect.stringContaining("at most 20000 rows") });
  expect(await send(lines(10_001))).toMatchObject({ status: 400, body: { error: expect.stringContaining("at most 10000 products") } });
});

it.each([
  ["", /no product/],
  [HEAD, /no product/],
  ["[", /not valid JSON/],
  ["[]", /no product/],
  ["{", /not valid JSON/],
  ["{}{}", /not valid JSON/],
  ['{}\n{"a"\n', /^line 2: not valid JSON/],
  [`${HEAD}\nacme,"card`, /^row 2: /],
  [`sep=,\n${HEAD}\nacme,"card`, /^row 3: /],
  [`${HEAD},unit_amount\nacme,card`, /^line 1: the column "unit_amount" is there twice$/],
  [`\n\n${HEAD}, Partner_ID\nacme,card`, /^line 3: the column "partner_id" is there twice$/],
  [`${HEAD}\nacme,card,live,x,one_time,USD,1900,,,,,,,,x`, /^line 2: more cells/],
])("refuses the file %j", async (file, error) => {
  expect(await send(file)).toMatchObject({ status: 400, body: { success: false, error: expect.stringMatching(error) } });
});
