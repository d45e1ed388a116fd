import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoints } from "../../src/db/schema/index.ts";
import { resumeManually, suspendManually } from "../../src/webhooks/admin/admin.ts";
import { holdEndpointsOf, releaseEndpointsOf } from "../../src/webhooks/admin/hold.ts";
import { resendEvent } from "../../src/webhooks/admin/resend.ts";
import { restartDeliveries } from "../../src/webhooks/admin/restart.ts";
import { claimDeliveries } from "../../src/webhooks/delivery/claims.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { sweepDeliveries } from "../../src/webhooks/delivery/sweep.ts";
import { ANNA } from "../support/actor.ts";
import { call, REGISTER } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { attemptsOf, clearTheWay, deliveryOf, endpointOf, recordPayment } from "../support/deliveries.ts";
import { MINUTE, pass, realTime, SECOND } from "../support/later.ts";
import { connectSandbox } from "../support/stack.ts";
import { updateRows } from "../support/tables.ts";

/** A delivery in every state it can be in, and everything that can happen to it. */

const ENDPOINT = "ep_acme_test";
const woken: string[] = [];
const deps = {
  ...cellDeps(),
  deliveryQueue: {
    send(ids: readonly string[]) {
      woken.push(...ids);
      return Promise.resolve();
    },
  },
};

beforeAll(() => call(REGISTER, { test_url: "http://shop.example/states" }));
beforeEach(async () => {
  await clearTheWay();
  woken.length = 0;
});
afterEach(connectSandbox);
afterEach(realTime);

const set = (id: string, changes: string) => env.CELL_1.prepare(`UPDATE events SET ${changes} WHERE id = ?`).bind(id).run();
const claim = (id: string) => claimDeliveries(deps.db, [id], Date.now());

/** Brings a new delivery into a state. */
const STATES: Record<string, (id: string) => Promise<unknown>> = {
  due: (id) => set(id, `next_attempt_at = ${Date.now() - 5 * SECOND}`),
  overdue: (id) => set(id, `next_attempt_at = ${Date.now() - MINUTE}`),
  later: (id) => set(id, `next_attempt_at = ${Date.now() + MINUTE}`),
  waiting: (id) => set(id, `next_attempt_at = ${Date.now() - MINUTE}, waiting = 1`),
  sending: claim,
  dead: async (id) => {
    await claim(id);
    await set(id, `claimed_at = ${Date.now() - 3 * MINUTE}`);
  },
  "dead, manually": async (id) => {
    await claim(id);
    await set(id, `claimed_at = ${Date.now() - 3 * MINUTE}, state_before_resend = 'exhausted'`);
  },
  "dead, manually, later": async (id) => {
    await claim(id);
    await set(id, `claimed_at = ${Date.now() - 3 * MINUTE}, state_before_resend = 'pending', next_attempt_at = ${Date.now() + MINUTE}`);
  },
  succeeded: (id) => set(id, "state = 'succeeded'"),
  "without an endpoint": (id) => set(id, "state = 'no_endpoint'"),
  exhausted: (id) => set(id, "state = 'exhausted', attempts = 10"),
  suspended: async (id) => {
    await suspendManually(deps, ENDPOINT, null, ANNA);
    await updateRows(endpoints, { suspension_reason: "failing" }, { id: ENDPOINT });
    expect(await deliveryOf(id)).toMatchObject({ state: "suspended" });
  },
  "held by an operator": () => suspendManually(deps, ENDPOINT, null, ANNA),
  "of a disabled partner": () => holdEndpointsOf(deps, "acme"),
};

const answering = (status: number) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response(null, { status })));

const EVENTS: Record<string, (id: string) => Promise<unknown>> = {
  "is woken, and taken": (id) => {
    answering(200);
    return attemptDelivery(deps, id);
  },
  "is woken, and refused": (id) => {
    answering(500);
    return attemptDelivery(deps, id);
  },
  "is woken, and its receiver is gone": (id) => {
    answering(410);
    return attemptDelivery(deps, id);
  },
  "is swept": () => sweepDeliveries(deps),
  "has its endpoint suspended": () => suspendManually(deps, ENDPOINT, null, ANNA),
  "has its endpoint resumed": () => resumeManually(deps, ENDPOINT, ANNA),
  "has its endpoint moved": () => call(REGISTER, { test_url: `http://shop.example/states?move=${crypto.randomUUID()}` }),
  "is sent manually, and taken": (id) => {
    answering(200);
    return resendEvent(deps, id, ANNA);
  },
  "is sent manually, and refused": (id) => {
    answering(500);
    return resendEvent(deps, id, ANNA);
  },
  "is among what is begun anew": () => restartDeliveries(deps, ENDPOINT, ANNA, { since: 0, isLimited: false }),
  "has its partner disabled": () => holdEndpointsOf(deps, "acme"),
  "has its partner enabled": () => releaseEndpointsOf(deps, "acme"),
};

/** In what state it is afterwards, row by row of the states and in the order of the events. */
const TABLE: Record<string, string> = {
  //          taken      refused   gone      swept     suspend   resume    move      hand ok   hand not  anew      disabled  enabled
  due: "      succeeded  later     suspended due       suspended due       due       succeeded due       due suspended due",
  overdue: "  succeeded  later     suspended waiting   suspended waiting   due       succeeded due       waiting suspended waiting",
  later: "    later      later     later     later     suspended later     later     succeeded later     later suspended later",
  waiting: "  succeeded  later     suspended waiting   suspended waiting   waiting   succeeded due       waiting suspended waiting",
  sending: "  sending    sending   sending   sending   sending   sending   sending   sending   sending   sending sending sending",
  dead: "     sending    sending   sending   waiting   sending   waiting   sending   sending   sending   waiting sending waiting",
  "dead, manually": "sending sending sending  exhausted sending   exhausted sending   sending   sending   exhausted sending exhausted",
  "dead, manually, later": "sending sending sending later sending later sending sending sending later sending later",
  succeeded: "succeeded  succeeded succeeded succeeded succeeded succeeded succeeded succeeded succeeded succeeded succeeded succeeded",
  "without an endpoint":
    "no_endpoint no_endpoint no_endpoint no_endpoint no_endpoint no_endpoint no_endpoint succeeded exhausted no_endpoint no_endpoint no_endpoint",
  exhausted: "exhausted  exhausted exhausted exhausted exhausted exhausted exhausted succeeded exhausted waiting exhausted exhausted",
  suspended: "suspended  suspended suspended suspended suspended waiting   waiting   succeeded suspended suspended suspended suspended",
  "held by an operator":
    "suspended suspended suspended suspended suspended waiting suspended succeeded suspended suspended suspended suspended",
  "of a disabled partner":
    "suspended suspended suspended suspended suspended suspended suspended succeeded suspended suspended suspended waiting",
};

async function stateOf(id: string): Promise<string> {
  const delivery = await deliveryOf(id);
  if (delivery?.state !== "pending") return delivery?.state ?? "none";
  if (delivery.waiting === 1) return "waiting";
  return delivery.next_attempt_at <= Date.now() ? "due" : "later";
}

describe.each(Object.keys(STATES))("a delivery that is %s", (state) => {
  const outcomes = TABLE[state]?.trim().split(/\s+/) ?? [];
  it.each(Object.keys(EVENTS).map((event, index) => [event, outcomes[index]]))("and %s is then %s", async (event, outcome) => {
    const id = await recordPayment();
    await STATES[state]?.(id);
    await EVENTS[event]?.(id);
    expect(await stateOf(id)).toBe(outcome);
    // Nothing is left of who had it, and whoever waits or was given back is woken by a sweep at the latest.
    const delivery = await deliveryOf(id);
    if (delivery?.state !== "sending") expect(delivery).toMatchObject({ claimed_at: null, state_before_resend: null });
    if (delivery?.state !== "pending") expect(delivery?.waiting).toBe(0);
    // Every attempt that was started is on record, unless it is under way.
    expect(await attemptsOf(id)).toHaveLength(
      (delivery?.attempts ?? 0) - (delivery?.state === "sending" ? 1 : 0) - (state === "exhausted" ? 10 : 0),
    );
    if (outcome === "waiting") {
      woken.length = 0;
      await sweepDeliveries(deps);
      expect(woken).toContain(id);
    }
  });
});

describe("what comes between an attempt and its result", () => {
  /** Has something happen while a receiver thinks, and then answer so. */
  const meanwhile = (happens: () => Promise<unknown>, status: number) =>
    vi.spyOn(globalThis, "fetch").mockImplementationOnce(async () => {
      await happens();
      return new Response(null, { status });
    });

  it.each([
    ["suspended by an operator, and taken", () => suspendManually(deps, ENDPOINT, null, ANNA), 200, "succeeded", "suspended"],
    ["suspended by an operator, and refused", () => suspendManually(deps, ENDPOINT, null, ANNA), 500, "suspended", "suspended"],
    ["moved, and refused by the old address", () => EVENTS["has its endpoint moved"]?.("") ?? Promise.resolve(), 500, "later", "active"],
    ["moved, and the old address is gone", () => EVENTS["has its endpoint moved"]?.("") ?? Promise.resolve(), 410, "later", "active"],
  ])("%s", async (_what, happens, status, state, endpoint) => {
    const id = await recordPayment();
    meanwhile(happens, status);
    await attemptDelivery(deps, id);
    expect(await stateOf(id)).toBe(state);
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: endpoint, failing_since: null });
  });

  it("an endpoint that was resumed while a kept event was sent to it manually gets that event too", async () => {
    const id = await recordPayment();
    await suspendManually(deps, ENDPOINT, null, ANNA);
    meanwhile(() => resumeManually(deps, ENDPOINT, ANNA), 500);
    await resendEvent(deps, id, ANNA);
    expect(await stateOf(id)).toBe("due");
  });

  it("a success of a consumer that was thought dead counts, unless another sends it at this moment", async () => {
    const id = await recordPayment();
    meanwhile(async () => {
      await set(id, `claimed_at = ${Date.now() - 3 * MINUTE}`);
      await sweepDeliveries(deps);
    }, 200);
    await attemptDelivery(deps, id);
    expect(await stateOf(id)).toBe("succeeded");
    const other = await recordPayment();
    meanwhile(async () => {
      await set(other, `claimed_at = ${Date.now() - 3 * MINUTE}`);
      await sweepDeliveries(deps);
      await claim(other);
    }, 200);
    await attemptDelivery(deps, other);
    expect(await stateOf(other)).toBe("sending");
  });

  it("consumers that die with one delivery again and again are made good later each time", async () => {
    pass(0);
    const id = await recordPayment();
    for (const wait of [0, 1, 2, 3]) {
      await set(id, `next_attempt_at = ${Date.now()}`);
      await claim(id);
      await set(id, `claimed_at = ${Date.now() - 3 * MINUTE}`);
      await sweepDeliveries(deps);
      const due = ((await deliveryOf(id))?.next_attempt_at ?? 0) - Date.now();
      expect(due).toBe(wait * MINUTE);
    }
    expect(await attemptsOf(id)).toMatchObject([1, 2, 3, 4].map((number) => ({ number, error_class: "lost" })));
    expect(await deliveryOf(id)).toMatchObject({ attempts: 4, unscheduled_attempts: 4 });
  });
});
