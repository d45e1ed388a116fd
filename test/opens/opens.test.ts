import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";
import { runBatch } from "../../src/db/client.ts";
import { linkOpens, movements, orders, walks } from "../../src/db/schema/index.ts";
import linksWorker from "../../src/links-worker.ts";
import { createReadOpens, NoAnswer, opensQuery, PAGE, type ReadOpens } from "../../src/opens/analytics.ts";
import { addOpens } from "../../src/opens/store.ts";
import { sweepOpens } from "../../src/opens/sum.ts";
import { CART, call, callV1, cart, keys, LINK, link as linkBody, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { pass, realTime } from "../support/later.ts";
import { change, ops } from "../support/ops.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

const BROWSER = "Mozilla/5.0 (Windows NT 10.0) Chrome/131.0.0.0";
const KEY = { "X-Partner-Api-Key": keys.acme };
const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const made = async () => (await call(CART, cart())).body as { payment_link_id: string; short_url: string };
const slugOf = (url: string) => new URL(url).pathname.slice(1);
const opens = (id: string) => rowsOf(linkOpens, { payment_link_id: id }, { columns: ["day", "opens"], orderBy: "day" });

afterEach(() => realTime());

/** Sums at a time, of what a reader answers. */
const sumAt = (now: number, readOpens: ReadOpens | null) => sweepOpens({ ...cellDeps(), clock: { now: () => now }, readOpens });

/** A reader that has these openings, by slug and time. */
const having =
  (points: readonly (readonly [slug: string, at: number, opens: number])[], asked: number[] = []): ReadOpens =>
  async ({ from, to }, after) => {
    asked.push(from);
    const found = points.filter(([slug, at]) => at >= from && at < to && slug > after).map(([slug, , count]) => ({ slug, opens: count }));
    return found.toSorted((one, other) => (one.slug < other.slug ? -1 : 1)).slice(0, PAGE);
  };

describe("openings of short links", () => {
  // A moment that no other test of this file has summed.
  let start = 0;
  beforeAll(async () => {
    start = Math.ceil(Date.now() / QUARTER) * QUARTER;
    await sumAt(start, having([]));
  });

  it("are summed once, by quarters that are over, to the day of the partner's zone", async () => {
    const link = await made();
    const slug = slugOf(link.short_url);
    await change("partners/acme/settings", { time_zone: "Asia/Kathmandu" }, "PUT");
    const dayAt = (at: number) => new Date(at + 345 * MINUTE).toISOString().slice(0, 10);
    const points = [
      [slug, start + 1, 2],
      ["01nobodysLink1", start + 2, 9],
      [slug, start + QUARTER, 1],
    ] as const;
    const asked: number[] = [];
    // The quarter is over, and the platform may not have all of it yet.
    expect(await sumAt(start + QUARTER + 5 * MINUTE - 1, having(points, asked))).toBe(0);
    expect(asked).toEqual([]);
    expect(await sumAt(start + QUARTER + 5 * MINUTE, having(points, asked))).toBe(1);
    expect(await opens(link.payment_link_id)).toEqual([{ day: dayAt(start), opens: 2 }]);
    expect(await sumAt(start + QUARTER + 6 * MINUTE, having(points, asked))).toBe(0);
    expect(asked).toEqual([start]);
    // After a pause of hours, all quarters are summed.
    start += 10 * QUARTER;
    await sumAt(start + 5 * MINUTE, having(points, asked));
    expect(asked).toHaveLength(10);
    const total = (await opens(link.payment_link_id)).reduce((sum, row) => sum + Number(row.opens), 0);
    expect(total).toBe(3);
    await change("partners/acme/settings", { time_zone: "UTC" }, "PUT");
  });

  it("of more links than one answer has are read page by page, and each is added once though a run is cut off", async () => {
    const link = await made();
    const slug = slugOf(link.short_url);
    const many = Array.from({ length: PAGE }, (_, index) => [`00${String(index).padStart(8, "0")}`, start + 1, 1] as const);
    const points = [...many, [slug, start + 1, 5] as const];
    const whole = having(points);
    let calls = 0;
    const cutOff: ReadOpens = (...given) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("cut off")) : whole(...given);
    };
    await expect(sumAt(start + QUARTER + 5 * MINUTE, cutOff)).rejects.toThrow("cut off");
    expect(await opens(link.payment_link_id)).toEqual([]);
    await sumAt(start + QUARTER + 5 * MINUTE, whole);
    await sumAt(start + QUARTER + 5 * MINUTE, whole);
    expect(await opens(link.payment_link_id)).toMatchObject([{ opens: 5 }]);
    start += QUARTER;
  });

  it("are added once where two runs cross", async () => {
    const link = await made();
    const points = having([[slugOf(link.short_url), start + 1, 4]]);
    let meanwhile: Promise<unknown> | null = null;
    const crossed: ReadOpens = async (...asked) => {
      const page = await points(...asked);
      meanwhile ??= sumAt(start + QUARTER + 5 * MINUTE, points);
      await meanwhile;
      return page;
    };
    await sumAt(start + QUARTER + 5 * MINUTE, crossed);
    expect(await opens(link.payment_link_id)).toMatchObject([{ opens: 4 }]);
    start += QUARTER;
  });

  it("are not counted without a token", async () => {
    expect(await sumAt(start + 100 * QUARTER, null)).toBe(0);
  });
});

describe("the platform's answer", () => {
  const settings = { base: "https://platform.example", account: "acc", dataset: "opens", token: "secret-token" };
  const budget = () => ({ budget: new CallBudget(cellDeps().clock, 1_000) });
  const answering = (answer: Response, sent: Request[] = []) =>
    createReadOpens(settings, (input, init) => {
      sent.push(new Request(input, init));
      return Promise.resolve(answer);
    });

  it("is asked with the token, for one period, and read with its numbers as texts", async () => {
    const sent: Request[] = [];
    const read = answering(
      Response.json({
        data: [
          { slug: "a", opens: "12" },
          { slug: "b", opens: 3 },
        ],
      }),
      sent,
    );
    expect(await read({ from: 900_000, to: 1_800_000 }, "x", budget())).toEqual([
      { slug: "a", opens: 12 },
      { slug: "b", opens: 3 },
    ]);
    const [request] = sent;
    expect([request?.url, request?.headers.get("Authorization")]).toEqual([
      "https://platform.example/client/v4/accounts/acc/analytics_engine/sql",
      "Bearer secret-token",
    ]);
    expect(await request?.text()).toBe(opensQuery("opens", { from: 900_000, to: 1_800_000 }, "x"));
    expect(opensQuery("opens", { from: 900_000, to: 1_800_000 }, "x")).toContain(
      "timestamp >= toDateTime(900) AND timestamp < toDateTime(1800)",
    );
  });

  it.each([
    ["a refusal", new Response("no", { status: 403 })],
    ["no JSON", new Response("<html>")],
    ["another shape", Response.json({ data: [{ slug: "a" }] })],
    ["no whole number", Response.json({ data: [{ slug: "a", opens: "1.5" }] })],
  ])("that is %s counts nothing, and is asked for again", async (_what, answer) => {
    await expect(answering(answer)({ from: 0, to: 1 }, "", budget())).rejects.toThrow();
  });
});

it.each([
  ["too many requests", () => new Response("no", { status: 429 })],
  ["an outage", () => new Response("no", { status: 500 })],
  ["a body that is cut off", () => new Response(new ReadableStream({ pull: (body) => body.error(new Error("cut off")) }))],
])("%s at the platform is no failure of ours", async (_what, answer) => {
  const settings = { base: "https://platform.example", account: "acc", dataset: "opens", token: "secret-token" };
  const read = createReadOpens(settings, () => Promise.resolve(answer()));
  await expect(read({ from: 0, to: 1 }, "", { budget: new CallBudget(cellDeps().clock, 1_000) })).rejects.toThrow(NoAnswer);
});

it("the Worker of the short links writes a point with the slug alone, for each opening by a person", async () => {
  const points: unknown[] = [];
  const { CELL_1, DIRECTORY, SHORT_LINKS } = env;
  const OPENS = { writeDataPoint: (point: unknown) => points.push(point) };
  const bindings = { CELL_1, DIRECTORY, SHORT_LINKS, OPENS, DEPLOYMENT: "local" };
  const ask = async (path: string, headers: Record<string, string> = { "User-Agent": BROWSER }, method = "GET") => {
    const context = createExecutionContext();
    const request = new Request(`https://pay.partner.test/${path}`, { method, headers, redirect: "manual" });
    const response = await linksWorker.fetch(request as never, bindings, context);
    await waitOnExecutionContext(context);
    return response.status;
  };
  const slug = slugOf((await made()).short_url);
  expect(await ask(`${slug}?prefilled_email=ann@example.com&client_reference_id=o-1`)).toBe(302);
  expect(await ask(slug)).toBe(302);
  expect(points).toEqual([
    { indexes: [slug], doubles: [1] },
    { indexes: [slug], doubles: [1] },
  ]);
  expect(await ask(slug, { "User-Agent": "Googlebot/2.1" })).toBe(302);
  expect(await ask(slug, { "User-Agent": BROWSER }, "HEAD")).toBe(302);
  expect(await ask("AAAAAAAAAAAA")).toBe(404);
  expect(points).toHaveLength(2);
});

describe("the funnel of a link", () => {
  const funnel = async (id: string, query = "") => (await send(`/partner/links/${id}/funnel${query}`, { headers: KEY })).body;

  it("has what customers opened, began and paid, for its partner and for operators", async () => {
    const link = await made();
    const follow = (agent: string) => send(new URL(link.short_url).pathname, { headers: { "User-Agent": agent } });
    for (const agent of [BROWSER, BROWSER, "Googlebot/2.1"]) expect((await follow(agent)).status).toBe(302);
    await until(() => expect(world.state.points.filter(({ slug }) => slug === slugOf(link.short_url))).toHaveLength(2));
    await control("/abandon", { short_url: link.short_url });
    await control("/pay", { short_url: link.short_url });
    await until(async () =>
      expect(await funnel(link.payment_link_id)).toMatchObject({ opened: 0, begun: 2, is_begun_complete: true, paid: 1, days: [] }),
    );
    // The sandbox answers the same statement as the platform.
    const read = createReadOpens({ base: SANDBOX, account: "local", dataset: "partner_payments_opens", token: "local" }, fetch);
    const now = Date.now();
    const budget = new CallBudget(cellDeps().clock, 1_000);
    const found = await read({ from: now - QUARTER, to: now + 2_000 }, "", { budget });
    expect(found).toContainEqual({ slug: slugOf(link.short_url), opens: 2 });
    // Summed, they are in the funnel and in the lists.
    const cell = cellDeps();
    const today = new Date(now).toISOString().slice(0, 10);
    const row = { paymentLinkId: link.payment_link_id, day: today, partnerId: "acme", environment: "test" as const, opens: 2 };
    await runBatch(cell.db, [addOpens(cell.db, [row, { ...row, day: "2020-01-01" }])]);
    expect(await funnel(link.payment_link_id)).toMatchObject({ opened: 2, days: [{ day: today, opened: 2 }], time_zone: "UTC" });
    expect(await funnel(link.payment_link_id, "?since=2020-01-01&until=2020-01-02")).toMatchObject({
      from: "2020-01-01",
      to: "2020-01-02",
      opened: 2,
      begun: 0,
      paid: 0,
    });
    expect((await ops(`payment-links/${link.payment_link_id}/funnel`)).body).toMatchObject({ opened: 2, begun: 2, paid: 1 });
    const listed = (await send("/partner/links?environment=test", { headers: KEY })).body.data;
    expect(listed.find((one: any) => one.payment_link_id === link.payment_link_id)).toMatchObject({ opened: 4 });
    expect((await send(`/partner/links/${link.payment_link_id}`, { headers: KEY })).body.opened).toBe(4);
  });

  it("has what was paid for those alone who may see money", async () => {
    const link = await made();
    const { key } = (await change("partners/acme/keys", { label: "catalogue", permissions: ["products_view"] })).body;
    const answer = await send(`/partner/links/${link.payment_link_id}/funnel`, { headers: { "X-Partner-Api-Key": key } });
    expect(answer.body).toMatchObject({ begun: 0, paid: null });
    expect(await funnel(link.payment_link_id)).toMatchObject({ begun: 0, paid: 0 });
  });

  it("goes without what the processor does not answer, and is not another partner's", async () => {
    const link = await made();
    await control("/faults", { target: "processor", call: "checkout.sessions.list", times: 9, kind: "http_400" });
    expect(await funnel(link.payment_link_id)).toMatchObject({ begun: null, is_begun_complete: true, paid: 0 });
    await control("/faults", undefined, "DELETE");
    const foreign = await send(`/partner/links/${link.payment_link_id}/funnel`, { headers: { "X-Partner-Api-Key": keys.globex } });
    expect(foreign.status).toBe(404);
  });
});

it("the report of links has each that was opened or paid in its days, most often opened first, of one partner alone", async () => {
  const [quiet, sold, other] = [await made(), await made(), await made()];
  await control("/pay", { short_url: sold.short_url });
  await control("/pay", { short_url: sold.short_url });
  const today = new Date().toISOString().slice(0, 10);
  const cell = cellDeps();
  const row = (link: { payment_link_id: string }, opened: number, more: object = {}) => ({
    paymentLinkId: link.payment_link_id,
    day: today,
    partnerId: "acme",
    environment: "test" as const,
    opens: opened,
    ...more,
  });
  await runBatch(cell.db, [
    addOpens(cell.db, [row(quiet, 7), row(sold, 90_000), row(sold, 1, { day: "2021-01-31" }), row(other, 5, { partnerId: "globex" })]),
  ]);
  const report = async (query: string, key: string = keys.acme) =>
    (await send(`/partner/reports/links?${query}`, { headers: { "X-Partner-Api-Key": key } })).body;
  const own = (body: { rows: { payment_link_id: string }[] }) =>
    body.rows.filter(({ payment_link_id: id }) => [quiet, sold, other].some((link) => link.payment_link_id === id));
  await until(async () => expect(own(await report("environment=test&days=1"))).toHaveLength(2));
  await until(async () =>
    expect(own(await report("environment=test&days=1"))).toEqual([
      { payment_link_id: sold.payment_link_id, environment: "test", name: "acmeTestUsd1, 2 × acmeTestUsd2", opened: 90_000, paid: 2 },
      { payment_link_id: quiet.payment_link_id, environment: "test", name: "acmeTestUsd1, 2 × acmeTestUsd2", opened: 7, paid: 0 },
    ]),
  );
  const all = await report("environment=test&days=1");
  expect(all.totals.opened).toBe(all.rows.reduce((sum: number, one: { opened: number }) => sum + one.opened, 0));
  expect(await report("from=2021-01-31&to=2021-01-31")).toEqual({
    from: "2021-01-31",
    to: "2021-01-31",
    time_zone: "UTC",
    rows: [{ payment_link_id: sold.payment_link_id, environment: "test", name: "acmeTestUsd1, 2 × acmeTestUsd2", opened: 1, paid: 0 }],
    totals: { opened: 1, paid: 0 },
    is_complete: true,
  });
  expect((await report("environment=live&from=2021-01-31&to=2021-01-31")).rows).toEqual([]);
  // A row of another partner's link, which is not its own, is not shown to it either.
  expect(own(await report("days=1", keys.globex))).toEqual([]);
  expect((await ops("partners/acme/reports/links?environment=test&days=1")).body.totals).toEqual(all.totals);
});

it("a subscription is paid once, by its first payment, in the report and in the funnel", async () => {
  const { body: monthly } = await callV1(LINK, linkBody({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
  const id = monthly.processor_payment_link_id;
  const { subscription } = await control<{ subscription: string }>("/pay", { short_url: monthly.short_url });
  const payments = () => rowsOf(movements, { subscription_id: subscription }, { columns: ["id"], orderBy: "transaction_date" });
  await until(async () => expect(await payments()).toHaveLength(1));
  const today = new Date().toISOString().slice(0, 10);
  const paid = async (day: string) => {
    const { rows } = (await send(`/partner/reports/links?environment=test&from=${day}&to=${day}`, { headers: KEY })).body;
    const { paid: inFunnel } = (await send(`/partner/links/${id}/funnel?since=${day}&until=${day}`, { headers: KEY })).body;
    return [rows.find((one: { payment_link_id: string }) => one.payment_link_id === id)?.paid ?? 0, inFunnel];
  };
  expect(await paid(today)).toEqual([1, 1]);
  await updateRows(movements, { transaction_date: Date.parse("2021-03-05T23:59:59.999Z") }, { subscription_id: subscription });
  await updateRows(orders, { paid_at: Date.parse("2021-03-05T23:59:59.999Z") }, { subscription_id: subscription });
  await control("/renew", { subscription });
  await until(async () => expect(await payments()).toHaveLength(2));
  expect([await paid(today), await paid("2021-03-05"), await paid("2021-03-06")]).toEqual([
    [0, 0],
    [1, 1],
    [0, 0],
  ]);
});

it("a funnel has whole days, and begins before it ends", async () => {
  const { payment_link_id: id } = await made();
  const ask = (query: string) => send(`/partner/links/${id}/funnel?${query}`, { headers: KEY });
  expect((await ask("since=2021-03-05T12:00:00Z&until=2021-03-06T00:00:00Z")).body).toMatchObject({ from: "2021-03-05", to: "2021-03-05" });
  const refused = await ask("since=2021-03-06&until=2021-03-05");
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining("since: must not be after `until`")]);
});

it("the cron sums the openings", async () => {
  const { payment_link_id: id, short_url } = await made();
  await cron();
  const position = JSON.stringify({ quarter: Math.floor(Date.now() / QUARTER) * QUARTER, after: "" });
  await updateRows(walks, { position }, { name: "link_opens" });
  await send(new URL(short_url).pathname, { headers: { "User-Agent": BROWSER } });
  await until(() => expect(world.state.points.filter(({ slug }) => slug === slugOf(short_url))).toHaveLength(1));
  pass(QUARTER + 6 * MINUTE);
  await cron();
  expect(await opens(id)).toMatchObject([{ opens: 1 }]);
});
