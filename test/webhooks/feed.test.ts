import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { keys, send } from "../support/api.ts";
import { deliveryOf, recordPayment } from "../support/deliveries.ts";
import { ops } from "../support/ops.ts";

/** The feed of a partner's events: `GET /partner/events`. */

const feed = async (query = "", key: string = keys.acme) => {
  const { status, body } = await send(`/partner/events${query}`, { headers: { "X-Partner-Api-Key": key } });
  return { status, ...body } as {
    status: number;
    data: { id: string; environment: string; event: string }[];
    next: string;
    has_more: boolean;
    [field: string]: any;
  };
};
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

/** Reads on from a cursor to the end. */
async function rest(cursor: string, more = ""): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let after = cursor; ; ) {
    const page = await feed(`?after=${after}${more}`);
    ids.push(...idsOf(page));
    after = page.next;
    if (!page.has_more) return { ids, cursor: after };
  }
}

/** Records events of these environments, each at a later millisecond: in one, two environments have no order. */
async function recordInTurn(...environments: readonly ("live" | "test")[]): Promise<string[]> {
  const now = Date.now();
  const ids: string[] = [];
  for (const [at, environment] of environments.entries()) ids.push(await recordPayment({ environment, clock: now + at }));
  return ids;
}

beforeEach(() => env.CELL_1.exec("DELETE FROM events"));

describe("the feed", () => {
  it("gives the bodies of events as webhooks get them, oldest first, of both environments or of one", async () => {
    const [first, second, third] = await recordInTurn("test", "live", "test");
    const page = await feed();
    expect(idsOf(page)).toEqual([first, second, third]);
    expect(page.data[0]).toMatchObject({
      id: first,
      event: "Processor.payment.succeeded",
      environment: "test",
      transaction: { type: "processor_payment_in" },
    });
    expect(page.has_more).toBe(false);
    expect(idsOf(await feed("?environment=test"))).toEqual([first, third]);
    expect(idsOf(await feed("?environment=live"))).toEqual([second]);
  });

  it("goes on behind a cursor, and says whether more may be there", async () => {
    const all = await recordInTurn("test", "live", "test", "test");
    const page = await feed("?limit=2");
    expect([idsOf(page), page.has_more]).toEqual([all.slice(0, 2), true]);
    const more = await rest(page.next, "&limit=1");
    expect(more.ids).toEqual(all.slice(2));
    expect(await rest(more.cursor)).toEqual({ ids: [], cursor: more.cursor });
    const later = await recordPayment();
    expect((await rest(more.cursor)).ids).toEqual([later]);
  });

  it("begins at the end with `latest`, and at a time with `since`", async () => {
    await recordPayment();
    const { next: cursor, data } = await feed("?after=latest");
    expect(data).toEqual([]);
    const next = await recordPayment();
    expect((await rest(cursor)).ids).toEqual([next]);
    const { created_at: at } = (await deliveryOf(next)) ?? {};
    expect(idsOf(await feed(`?since=${new Date(Number(at)).toISOString()}`))).toEqual([next]);
    expect(idsOf(await feed(`?since=${new Date(Number(at) + 1).toISOString()}`))).toEqual([]);
  });

  it("has only the wanted kind, and its cursor passes by the others", async () => {
    for (let count = 0; count < 3; count += 1) await recordPayment();
    const page = await feed("?kind=Processor.refund.succeeded");
    expect(page).toMatchObject({ data: [], has_more: false });
    expect((await feed("?kind=Processor.payment.succeeded")).data).toHaveLength(3);
  });

  it("looks at 2,000 events at most for a page of one kind, and goes on behind them", async () => {
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2001)
      INSERT INTO events SELECT 'evt_01' || printf('%030x', i), 'c' || i, 'acme', 'test', 'ep_acme_test', 'Processor.payment.failed', '{"a":1}', i, 'succeeded', 0, 0, 0, 0, NULL, NULL FROM n`;
    await env.CELL_1.prepare(rows).run();
    const wanted = await recordPayment();
    const page = await feed("?kind=Processor.payment.succeeded&environment=test");
    expect([page.data, page.has_more]).toEqual([[], true]);
    expect(idsOf(await feed(`?kind=Processor.payment.succeeded&environment=test&after=${page.next}`))).toEqual([wanted]);
  });

  it("is the asking partner's alone", async () => {
    const own = await recordPayment();
    await recordPayment({ partnerId: "globex" });
    expect(idsOf(await feed())).toEqual([own]);
  });

  it.each([
    "?after=none",
    `?after=${"1-1".repeat(9_000)}`,
    "?after=l1t1",
    "?after=",
    "?limit=0",
    "?limit=101",
    "?kind=all",
    "?environment=both",
  ])("refuses %s", async (query) => expect((await feed(query)).status).toBe(400));
});

it("is the same for an operator, who names the partner", async () => {
  await recordPayment();
  const own = await feed("?environment=test");
  expect({ status: 200, ...(await ops("events?environment=test&partner=acme")).body }).toEqual(own);
  expect((await ops(`events?partner=acme&after=${own.next}&environment=test`)).body.data).toEqual([]);
  expect((await ops("events")).status).toBe(400);
  expect((await ops("events?partner=none")).status).toBe(404);
});

describe("no event appears behind a cursor that was given out", () => {
  it("when its clock was behind, and when several are recorded at the same time", async () => {
    const now = Date.now();
    const first = await recordPayment({ clock: now });
    const { next: cursor } = await feed();
    const late = await recordPayment({ clock: now - 5_000 });
    const same = await recordPayment({ clock: now });
    expect((await rest(cursor)).ids).toEqual([late, same]);
    const times = await Promise.all([first, late, same].map(async (id) => Number((await deliveryOf(id))?.created_at)));
    expect(times).toEqual([now, now + 1, now + 2]);
  });

  it("in any order of recording, clocks and reading", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            skew: fc.integer({ min: -60_000, max: 60_000 }),
            live: fc.boolean(),
            reads: fc.boolean(),
            limit: fc.integer({ min: 1, max: 3 }),
          }),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        async (steps) => {
          await env.CELL_1.exec("DELETE FROM events");
          const recorded: string[] = [];
          const seen: string[] = [];
          let { next: cursor } = await feed();
          for (const { skew, live, reads, limit } of steps) {
            recorded.push(await recordPayment({ environment: live ? "live" : "test", clock: Date.now() + skew }));
            if (!reads) continue;
            const page = await feed(`?after=${cursor}&limit=${limit}`);
            seen.push(...idsOf(page));
            cursor = page.next;
          }
          seen.push(...(await rest(cursor, "&limit=2")).ids);
          expect(seen.toSorted()).toEqual(recorded.toSorted());
        },
      ),
      { numRuns: 15 },
    );
  });
});
