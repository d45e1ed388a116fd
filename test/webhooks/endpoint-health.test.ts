import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { endpointSecrets, endpoints, events } from "../../src/db/schema/index.ts";
import { bodyOf } from "../../src/views/event-body.ts";
import { listUnhealthyEndpoints } from "../../src/webhooks/admin/admin.ts";
import { resendEvent } from "../../src/webhooks/admin/resend.ts";
import { claimDeliveries } from "../../src/webhooks/delivery/claims.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { sweepDeliveries } from "../../src/webhooks/delivery/sweep.ts";
import { ANNA } from "../support/actor.ts";
import { call, REGISTER, ROTATE } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { attemptsOf, clearTheWay, deliveryOf, endpointOf, recordPayment, recordPayments } from "../support/deliveries.ts";
import { DAY, HOUR, MINUTE, pass, SECOND } from "../support/later.ts";
import { connectSandbox } from "../support/stack.ts";
import { fieldOf, updateRows } from "../support/tables.ts";

/** What an endpoint's answers make of the endpoint itself. */

const ENDPOINT = "ep_acme_test";
const test_url = "http://shop.example/health";
const woken: { id: string; wait: number }[] = [];
const deps = {
  ...cellDeps(),
  deliveryQueue: {
    send(ids: readonly string[], wait = 0) {
      for (const id of ids) woken.push({ id, wait });
      return Promise.resolve();
    },
  },
};

beforeAll(() => call(REGISTER, { test_url }));
beforeEach(async () => {
  await clearTheWay();
  woken.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  connectSandbox();
});

let asked: Headers[] = [];
function answer(status: number, headers: Record<string, string> = {}): void {
  asked = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((_url, init) => {
    asked.push(new Headers(init?.headers));
    return Promise.resolve(new Response(null, { status, headers }));
  });
}

const endpoint = async () => {
  const found = await endpointOf(ENDPOINT);
  if (found === null) throw new Error("the endpoint is gone");
  return found;
};
const attempt = async () => {
  const id = await recordPayment();
  await attemptDelivery(deps, id);
  return id;
};
const failing = (since: number, failures: number) =>
  updateRows(endpoints, { failing_since: Date.now() - since, failures }, { id: ENDPOINT });

describe("an endpoint that says 410", () => {
  it("is suspended at once, with what is on its way and what happens from now on, and gets nothing", async () => {
    answer(410);
    const onTheWay = await recordPayments(["acme"], 30, Date.now());
    const id = await attempt();
    expect(await endpoint()).toMatchObject({ status: "suspended", suspension_reason: "gone" });
    expect(await attemptsOf(id)).toMatchObject([{ status: 410, error_class: "gone" }]);
    const later = await recordPayment();
    for (const one of [...onTheWay, id, later]) {
      expect(await deliveryOf(one)).toMatchObject({ state: "suspended", waiting: 0 });
      await attemptDelivery(deps, one);
    }
    pass(DAY);
    await sweepDeliveries(deps);
    expect(asked).toHaveLength(1);
    expect(woken).toEqual([]);
  });

  it("gets nothing, even of what is still on its way", async () => {
    answer(410);
    await attempt();
    const id = await recordPayment();
    await updateRows(events, { state: "pending" }, { id: id });
    answer(200);
    await attemptDelivery(deps, id);
    pass(MINUTE);
    await sweepDeliveries(deps);
    expect(asked).toEqual([]);
    expect(woken).toEqual([]);
  });

  it.each([
    ["the same address", test_url],
    ["another", "http://shop.example/elsewhere"],
  ])("and is registered again at %s gets what was kept for it, on a schedule of its own", async (_what, url) => {
    pass(0);
    answer(410);
    const id = await attempt();
    const { revision } = await endpoint();
    await call(REGISTER, { test_url: url });
    expect(await endpoint()).toMatchObject({ status: "active", suspension_reason: null, failing_since: null, url, revision: revision + 1 });
    answer(500);
    await sweepDeliveries(deps);
    expect(woken).toContainEqual({ id, wait: 0 });
    await attemptDelivery(deps, id);
    expect(((await deliveryOf(id))?.next_attempt_at ?? 0) - Date.now()).toBeLessThan(6 * SECOND);
    expect(await deliveryOf(id)).toMatchObject({ attempts: 2, unscheduled_attempts: 1 });
    await call(REGISTER, { test_url });
  });

  it("in a refused attempt manually is not suspended by it", async () => {
    answer(410);
    const id = await recordPayment();
    expect(await resendEvent(deps, id, ANNA)).toMatchObject({ outcome: "sent", result: { errorClass: "gone" } });
    expect(await endpoint()).toMatchObject({ status: "active", failing_since: null });
  });
});

describe("an endpoint that only fails", () => {
  it.each([
    ["for five days", 5 * DAY, 2, "suspended"],
    ["for a minute less", 5 * DAY - MINUTE, 100, "active"],
    ["for a week, but this is only the second failure", 7 * DAY, 1, "active"],
  ])("%s", async (_what, since, failures, status) => {
    await failing(since, failures);
    answer(500);
    await attempt();
    expect(await endpoint()).toMatchObject({ status, suspension_reason: status === "active" ? null : "failing" });
  });

  it("and takes something in between is well again", async () => {
    await failing(6 * DAY, 50);
    answer(204);
    await attempt();
    expect(await endpoint()).toMatchObject({ status: "active", failing_since: null, failures: 0, cooldown_until: 0 });
  });

  it("is not forgiven by being registered as it is already", async () => {
    await failing(HOUR, 7);
    const before = await endpoint();
    await call(REGISTER, { test_url });
    expect(await endpoint()).toEqual(before);
  });

  it("is suspended though a backlog keeps each of its events from a third attempt", async () => {
    answer(500);
    const ids = await recordPayments(["acme"], 400, Date.now());
    let next = 0;
    for (let hour = 0; hour < 6 * 24 && (await endpoint()).status === "active"; hour += 1) {
      pass(HOUR);
      await attemptDelivery(deps, ids[next % ids.length] ?? "");
      next += 1;
    }
    expect(await endpoint()).toMatchObject({ status: "suspended", suspension_reason: "failing" });
    expect(
      (await env.CELL_1.prepare("SELECT max(attempts) AS most FROM events WHERE state = 'suspended'").first("most")) as number,
    ).toBeLessThan(3);
  });
});

describe("the rest of an endpoint", () => {
  it.each([
    ["that has failed for a moment: none", 5 * SECOND, 0],
    ["that has failed for a minute: half of it", MINUTE, 30 * SECOND],
    ["that has failed for a day: five minutes", DAY, 5 * MINUTE],
  ])("%s", async (_what, since, rest) => {
    pass(0);
    await failing(since, 3);
    answer(500);
    await attempt();
    expect(Math.max(0, (await endpoint()).cooldown_until - Date.now())).toBe(rest);
  });

  it("lets everything wait, is not cut short, and ends with one attempt", async () => {
    await failing(MINUTE, 3);
    answer(500);
    const first = await attempt();
    const second = await attempt();
    const third = await attempt();
    expect(asked).toHaveLength(1);
    for (const id of [second, third]) {
      expect(await deliveryOf(id)).toMatchObject({ state: "pending", waiting: 1, attempts: 0 });
      expect(woken.find((one) => one.id === id)?.wait).toBeGreaterThan(25 * SECOND);
    }
    await sweepDeliveries(deps);
    expect(woken).toHaveLength(3);
    expect(woken[0]?.id).toBe(first);
    pass(40 * SECOND);
    woken.length = 0;
    await sweepDeliveries(deps);
    expect(woken).toHaveLength(1);
    answer(200);
    await attemptDelivery(deps, woken[0]?.id ?? "");
    // It went on to one of the others by itself, and had the remaining one woken.
    const states = await Promise.all([first, second, third].map(async (id) => [id, (await deliveryOf(id))?.state] as const));
    expect(states.map(([, state]) => String(state)).toSorted()).toEqual(["pending", "succeeded", "succeeded"]);
    const left = states.find(([, state]) => state === "pending")?.[0];
    expect(woken.slice(1)).toEqual([{ id: left, wait: 0 }]);
  });

  it.each([
    [503, "120", 2 * MINUTE],
    [429, "120", 2 * MINUTE],
    [503, "86400", 5 * MINUTE],
    [500, "120", 0],
    [503, "9".repeat(400), 5 * MINUTE],
    [429, "Fri, 31 Dec 9999 23:59:59 GMT", 5 * MINUTE],
  ])("that answers %i with Retry-After: %s", async (status, header, rest) => {
    pass(0);
    answer(status, { "Retry-After": header });
    const id = await attempt();
    expect(Math.max(0, (await endpoint()).cooldown_until - Date.now())).toBe(rest);
    expect(((await deliveryOf(id))?.next_attempt_at ?? 0) - Date.now()).toBeGreaterThan(
      Math.min(Number(header) * SECOND || DAY, DAY) * 0.89,
    );
    expect(await attemptsOf(id)).toMatchObject([{ status, error_class: "status" }]);
  });

  it("that it asked for holds, though it takes what was under way to it by then", async () => {
    const gate = { open: false };
    const slowly = async () => {
      while (!gate.open) await new Promise((resolve) => setTimeout(resolve, 5));
      return new Response();
    };
    vi.spyOn(globalThis, "fetch").mockImplementationOnce(slowly).mockImplementationOnce(slowly);
    const slow = await recordPayments(["acme"], 2, Date.now());
    const taking = slow.map((id) => attemptDelivery(deps, id));
    for (const id of slow) await expect.poll(async () => (await deliveryOf(id))?.state).toBe("sending");
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer(429, { "Retry-After": "120" });
    await attempt();
    gate.open = true;
    await Promise.all(taking);
    for (const id of slow) expect(await deliveryOf(id)).toMatchObject({ state: "succeeded" });
    expect(await endpoint()).toMatchObject({ failing_since: null });
    expect((await endpoint()).cooldown_until - Date.now()).toBeGreaterThan(110 * SECOND);
    expect(await deliveryOf(await attempt())).toMatchObject({ state: "pending", waiting: 1 });
  });
});

describe.each(["one by one", "at once"])("the slots of an endpoint, asked for %s,", (how) => {
  const claims = async (count: number) => {
    const ids = await recordPayments(["acme"], count, Date.now());
    const claim = (some: readonly string[]) => claimDeliveries(deps.db, some, Date.now());
    const claimed = how === "at once" ? await claim(ids) : (await Promise.all(ids.map((id) => claim([id])))).flat();
    return claimed.map(({ kind }) => kind);
  };

  it("are ten while it takes what it gets, as the webhook guide says", async () => {
    const kinds = await claims(15);
    expect(kinds.filter((kind) => kind === "claimed")).toHaveLength(10);
    expect(kinds.filter((kind) => kind === "waits")).toHaveLength(5);
  });

  it("are one while it fails", async () => {
    await failing(5 * SECOND, 1);
    const kinds = await claims(5);
    expect(kinds.filter((kind) => kind === "claimed")).toHaveLength(1);
  });

  it("that are taken leave nothing for the sweep to wake, those that are free as many as there are", async () => {
    await claims(15);
    await sweepDeliveries(deps);
    expect(woken).toEqual([]);
    await env.CELL_1.exec(
      "UPDATE events SET state = 'succeeded', claimed_at = NULL WHERE id IN (SELECT id FROM events WHERE state = 'sending' LIMIT 3)",
    );
    await sweepDeliveries(deps);
    expect(woken).toHaveLength(3);
  });
});

describe("a fault of our own", () => {
  const locked = (opens: (encrypted: string) => boolean) => ({
    ...deps,
    secretCipher: {
      ...deps.secretCipher,
      decrypt: (encrypted: string, context: string) =>
        opens(encrypted) ? deps.secretCipher.decrypt(encrypted, context) : Promise.reject(new Error("no encryption key with id old")),
    },
  });

  it("sends nothing, takes nothing off the schedule, says nothing of the endpoint, and is tried again in five minutes", async () => {
    answer(200);
    const id = await recordPayment();
    const other = await recordPayment();
    await attemptDelivery(
      locked(() => false),
      id,
    );
    await attemptDelivery(
      locked(() => false),
      other,
    );
    expect(asked).toHaveLength(0);
    expect(await attemptsOf(id)).toMatchObject([{ status: null, error_class: "secret" }]);
    expect(await attemptsOf(other)).toEqual([]);
    expect(await deliveryOf(id)).toMatchObject({ state: "pending", attempts: 1, unscheduled_attempts: 1 });
    expect(await endpoint()).toMatchObject({ status: "active", failing_since: null, failures: 0 });
    expect(await listUnhealthyEndpoints(deps, undefined, 50)).toMatchObject([{ id: ENDPOINT }]);
    pass(5 * MINUTE + SECOND);
    await attemptDelivery(deps, id);
    expect(await deliveryOf(id)).toMatchObject({ state: "succeeded" });
    expect(await listUnhealthyEndpoints(deps, undefined, 50)).toEqual([]);
  });

  it("with the previous secret alone does not keep the current one from signing", async () => {
    answer(200);
    const { signing_secret } = (await call(ROTATE, { environment: "test", client_token: crypto.randomUUID() })).body;
    const current = await fieldOf(endpointSecrets, "encrypted", { endpoint_id: ENDPOINT, expires_at: null });
    const id = await recordPayment();
    await attemptDelivery(
      locked((encrypted) => encrypted === current),
      id,
    );
    const [headers] = asked;
    const [row] = await connectCell(env.CELL_1).select().from(events).where(eq(events.id, id));
    if (row === undefined) throw new Error("no such event");
    const timestamp = Number(headers?.get("Service-Timestamp"));
    expect(headers?.get("Service-Signature")).toBe((await signDelivery(id, timestamp, bodyOf(row), [signing_secret])).service);
  });
});
