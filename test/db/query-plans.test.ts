import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CART, call, cart, LIST, REGISTER, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { HOUR, MINUTE, pass } from "../support/later.ts";
import { control, world } from "../support/stack.ts";

/** Every statement that the Worker sends to D1 while everything that it can do is done once. */
const statements = new Set<string>();

beforeAll(async () => {
  const prototype = Object.getPrototypeOf(env.DB) as { prepare: (sql: string) => D1PreparedStatement };
  const { prepare } = prototype;
  prototype.prepare = function recorded(this: unknown, sql: string) {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/plans" });
  await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/plans", client_token: "plans" });
  const { body } = await call(CART, cart());
  await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
  const { client_token: _, ...untokened } = cart();
  await call(CART, untokened);
  await call(CART, untokened);
  await env.SHORT_LINKS.delete(body.short_url_id);
  await send(`/${body.short_url_id}`);
  await control("/faults", { target: "processor", call: "charges.retrieve", times: 1, kind: "http_400" });
  await control("/pay", { short_url: body.short_url });
  await vi.waitFor(() => expect(world.state.inboxes.plans?.received).toHaveLength(1), 10_000);
  const filters = [{}, { environment: "test" }, { client_reference_id: "x" }, { created_gte: "2026-01-01", created_lte: "2026-12-31" }];
  for (const filter of filters) await call(LIST, { ...filter, limit: 100 });
  for (const filter of filters) await call(LIST, { ...filter, environment: "live", client_reference_id: "y", created_gte: "2026-01-01" });
  pass(10 * MINUTE);
  await cron();
  pass(25 * HOUR);
  await call(CART, untokened);
  vi.useRealTimers();
  prototype.prepare = prepare;
}, 60_000);

/**
 * What may be read whole: lists of values, and the partial indexes that hold only what is to be done. Any other SCAN,
 * also one along an index, reads every row there is.
 */
const ALLOWED_SCANS =
  /^SCAN (json_each|CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES)|USING (COVERING )?INDEX (idempotency_records_waiting|deliveries_due|deliveries_claimed|processor_events_due)$/;

async function planOf(sql: string): Promise<string[]> {
  const parameters = Array.from({ length: sql.split("?").length - 1 }, () => null);
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...parameters)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}

describe("every statement", () => {
  it("was seen", () => {
    expect(statements.size).toBeGreaterThan(30);
    for (const table of [
      "api_keys",
      "card_products",
      "idempotency_records",
      "payment_links",
      "short_links",
      "movements",
      "processor_events",
      "deliveries",
      "sweeps",
    ]) {
      expect([...statements].some((sql) => sql.includes(`"${table}"`))).toBe(true);
    }
  });

  it("finds its rows by an index, and never reads a whole table", async () => {
    const scans: string[] = [];
    for (const sql of statements) {
      const plan = await planOf(sql);
      const reads = plan.filter((step) => step.startsWith("SCAN") && !ALLOWED_SCANS.test(step));
      if (reads.length > 0) scans.push(`${reads.join()} in ${sql}`);
    }
    expect(scans).toEqual([]);
  });

  it("of the lists is sorted by its index, not afterwards", async () => {
    const lists = [...statements].filter((sql) => sql.includes("order by") && !sql.includes('from "endpoint_secrets"'));
    expect(lists.length).toBeGreaterThan(5);
    for (const sql of lists) expect((await planOf(sql)).join()).not.toMatch(/TEMP B-TREE FOR .*ORDER BY/);
  });
});
