import { describe, expect, it, vi } from "vitest";
import type { CallDefinition } from "../../dashboard/src/ops/api/call-definition.ts";
import { definitions } from "../../dashboard/src/ops/api/definitions.ts";
import { requestOf } from "../../dashboard/src/ops/api/request-of.ts";
import { choiceOfShape, defaultsOf, fieldsOf } from "../../dashboard/src/ops/calls/fields.ts";
import { labelOf, nameOfCall } from "../../dashboard/src/ops/calls/names.ts";
import { hasResult, outcomeOf, secretIn } from "../../dashboard/src/ops/calls/outcome.ts";
import { type Decision, DecisionQueue } from "../../dashboard/src/ops/moderation/decision-queue.ts";
import { nextPart, pauseAfter, summed } from "../../src/core/continues.ts";

function definitionOf(command: string): CallDefinition {
  const call = definitions.find((one) => one.command === command);
  if (call === undefined) throw new Error(`there is no call ${command}`);
  return call;
}

describe("a form of a call", () => {
  it("begins with the defaults of the call, so that what is shown is what is sent", () => {
    const approve = definitionOf("products approve");
    expect(defaultsOf(approve, {})).toMatchObject({ first_link: true });
    expect(fieldsOf(approve, { kind: "card", id: "x" }, {}, {}).find(({ name }) => name === "first_link")).toMatchObject({ kind: "flag" });
    expect(defaultsOf(definitionOf("keys revoke"), {})).toEqual({ and_made: false });
  });

  it("asks for what is not given, required fields first, and not for pages", () => {
    const names = (command: string, given: object) => fieldsOf(definitionOf(command), { ...given }, {}, {}).map(({ name }) => name);
    expect(names("products reject", { kind: "card", id: "x" })).toEqual(["reason", "close_links", "seen_revision"]);
    expect(names("payment-links list", {})).not.toContain("cursor");
    expect(names("keys issue", { partner: "acme" }).slice(0, 2)).toEqual(["label", "permissions"]);
  });

  it("asks for the shape that is chosen, and for a billing period only of a subscription", () => {
    const create = definitionOf("products create");
    expect(choiceOfShape(create)).toEqual({ name: "kind", values: ["card", "ruble"] });
    const names = (values: object) => fieldsOf(create, { partner: "acme" }, { ...values }, {}).map(({ name }) => name);
    expect(names({ kind: "ruble" })).toContain("vat");
    expect(names({ kind: "card", type: "one_time" })).not.toContain("interval");
    expect(names({ kind: "card", type: "subscription" })).toContain("interval");
  });

  it("knows dates, amounts, choices and files by their fields", () => {
    const kinds = (command: string) =>
      Object.fromEntries(fieldsOf(definitionOf(command), {}, {}, {}).map(({ name, kind }) => [name, kind]));
    expect(kinds("endpoints send-again")).toMatchObject({ since: "moment", until: "moment" });
    expect(kinds("keys issue")).toMatchObject({ permissions: "choices", expires_at: "moment", label: "text" });
    expect(kinds("products import").file).toBe("file");
    expect(kinds("payment-links list")).toMatchObject({ state: "choice" });
  });

  it("sends each value where its call has it: path, query or body; an unticked box as false", () => {
    const approve = definitionOf("products approve");
    expect(requestOf(approve, { kind: "card", id: "a/b", first_link: false, seen_revision: undefined })).toEqual({
      path: "/ops/products/card/a%2Fb/approve",
      query: "",
      body: { first_link: false },
    });
    expect(requestOf(definitionOf("endpoints send-again"), { id: "ep_acme_live", since: "2026-11-01" })).toEqual({
      path: "/ops/endpoints/ep_acme_live/send-again",
      query: "?since=2026-11-01",
      body: null,
    });
  });
});

describe("a call that does a part of the work", () => {
  const again = definitionOf("endpoints send-again");
  const exhausted = definitionOf("endpoints send-exhausted");

  it("goes on where its answer says, until nothing is left", () => {
    const given = { id: "ep", since: "a" };
    expect(nextPart(again.continues, given, { restarted: 2000, next_since: "b" })).toEqual({ id: "ep", since: "b" });
    expect(nextPart(again.continues, given, { restarted: 3, next_since: null })).toBeNull();
    expect(nextPart(exhausted.continues, given, { restarted: 100, left: 5 })).toEqual(given);
    expect(nextPart(exhausted.continues, given, { restarted: 5, left: 0 })).toBeNull();
  });

  it("ends when it does nothing, and any other call is made once", () => {
    expect(nextPart(exhausted.continues, {}, { restarted: 0, left: 5 })).toBeNull();
    expect(nextPart(definitionOf("keys revoke").continues, {}, { left: 5 })).toBeNull();
  });

  it("waits before the next call where the last did nothing and the call says for how long", () => {
    const { continues } = definitionOf("snapshots refill");
    expect(pauseAfter(continues, { marked: 0, fetched: 0, next: "x" })).toBe(10_000);
    expect(pauseAfter(continues, { marked: 0, fetched: 1, next: "x" })).toBe(0);
    expect([pauseAfter(again.continues, { restarted: 0 }), pauseAfter(null, {})]).toEqual([0, 0]);
  });

  it("shows what all its calls did", () => {
    expect(
      summed(again.continues, [
        { restarted: 2000, next_since: "b" },
        { restarted: 7, next_since: null },
      ]),
    ).toEqual({ restarted: 2007, next_since: null });
    const { continues } = definitionOf("books rebuild");
    expect(summed(continues, [{ orders: [1], checked: 1 }, { checked: 2 }, { orders: [3] }])).toEqual({
      orders: [1, 3],
      checked: 3,
      mended: 0,
    });
  });
});

describe("what an action shows", () => {
  it("a key or an invitation, once", () => {
    expect(secretIn({ key: "a0000000-0000-4000-8000-000000000001" })).toMatchObject({ value: "a0000000-0000-4000-8000-000000000001" });
    expect(secretIn({ key: "token" })).toBeNull();
    expect(secretIn({ url: "https://x/#y", expires_at: "2026-11-01T00:00:00Z" })).toMatchObject({ value: "https://x/#y" });
    expect(secretIn({ url: "https://x" })).toBeNull();
    expect(secretIn({ url: 7, expires_at: "2026-11-01T00:00:00Z" })).toBeNull();
    expect([secretIn({ key: "k".repeat(20) }), secretIn({ key: "k".repeat(21) })?.value]).toEqual([null, "k".repeat(21)]);
  });

  it("what was done or is left, and nothing where a change is all", () => {
    expect([hasResult({ restarted: 3 }), hasResult({ restarted: 3, state: "open" })]).toEqual([true, true]);
    expect(hasResult({ made: { keys: ["key_1"], people: [] } })).toBe(true);
    expect(hasResult({ made: { keys: [], people: [] } })).toBe(false);
    expect(hasResult({ first_link: null, product: {} })).toBe(false);
    expect(hasResult({ id: "x", status: "active" })).toBe(false);
    for (const name of [
      "restarted",
      "re_encrypted",
      "checked",
      "fetched",
      "left",
      "made",
      "first_link",
      "short_url",
      "undecryptable",
      "found",
      "closed",
      "phase",
    ]) {
      expect([hasResult({ [name]: 1 }), hasResult({ [name]: undefined })]).toEqual([true, false]);
    }
  });

  it("a number of nothing, too; and a whole link has its address whatever was changed", () => {
    expect([hasResult({ closed: 0 }), hasResult({ state: "open", short_url: "https://s.example/x" })]).toEqual([true, false]);
  });

  it("that nothing was found is no success", () => {
    expect(outcomeOf({ success: true, found: [] })).toMatchObject({ isGood: false, says: expect.stringContaining("Nothing was found") });
    expect(outcomeOf({ success: true, found: [{}] })).toMatchObject({ isGood: true, says: null });
  });

  it("how the receiver or the bank answered", () => {
    expect(outcomeOf({ success: false, attempt: { status: 500, error: null } })).toEqual({
      isGood: false,
      says: "The receiver answered: HTTP 500",
    });
    expect(outcomeOf({ success: false, attempt: { status: null, error: "timeout" } })).toMatchObject({
      says: "The receiver answered: timeout",
    });
    expect(outcomeOf({ success: true, attempt: {} })).toEqual({ isGood: true, says: "The receiver answered: " });
    expect(outcomeOf({ success: false, attempt: "500" })).toEqual({ isGood: false, says: null });
    expect(outcomeOf({ success: true, attempt: null })).toEqual({ isGood: true, says: null });
    expect(outcomeOf({ success: true, problem: null })).toEqual({ isGood: true, says: null });
    expect(outcomeOf({ success: false, problem: "amount_mismatch" })).toEqual({ isGood: false, says: "amount_mismatch" });
  });
});

describe("moderation", () => {
  function queueWith(send: (decision: Decision<string>, product: string) => Promise<void> = async () => undefined) {
    const waiting: (() => void)[] = [];
    const failed: string[] = [];
    const sent: string[] = [];
    const shown: (number | null)[][] = [];
    const queue = new DecisionQueue<string>({
      later(work) {
        waiting.push(work);
        return () => waiting.splice(waiting.indexOf(work), 1);
      },
      async send(decision, product) {
        sent.push(`${decision.verdict} ${product}`);
        await send(decision, product);
      },
      onFailure: (product) => failed.push(product),
      onDone: async () => undefined,
      onChange: (taken) => shown.push(taken.map(({ done }) => done)),
    });
    const pass = () => {
      for (const work of waiting.splice(0)) work();
    };
    return { queue, waiting, failed, sent, shown, pass };
  }
  const approve = (...products: string[]) => ({ verdict: "approve", products, reason: undefined }) as const;

  it("carries a decision out for each product, once, after the time in which it can be undone", async () => {
    const { queue, sent, pass } = queueWith();
    queue.decide(approve("a", "b", "c", "d"));
    expect([sent, queue.taken.map(({ done }) => done)]).toEqual([[], [null]]);
    pass();
    await vi.waitFor(() => expect(queue.taken).toEqual([]));
    expect(sent.toSorted()).toEqual(["approve a", "approve b", "approve c", "approve d"]);
  });

  it("shows each step of a decision, and what waits beside it", async () => {
    const { queue, shown, pass } = queueWith();
    queue.decide(approve("a"));
    pass();
    queue.decide(approve("b", "c"));
    await vi.waitFor(() => expect(queue.taken.length).toBe(1));
    expect(shown).toEqual([[null], [0], [0, null], [1, null], [null]]);
    expect(new Set(queue.taken.map(({ id }) => id))).toEqual(new Set([2]));
    pass();
    await vi.waitFor(() => expect(queue.taken).toEqual([]));
    expect(shown.slice(5)).toEqual([[0], [1], [2], []]);
  });

  it("a decision that is carried out early is not carried out again when its time is over, nor while it lasts", async () => {
    const release: (() => void)[] = [];
    const { queue, sent, waiting, pass } = queueWith(() => new Promise((resolve) => release.push(resolve)));
    queue.decide(approve("a"));
    queue.decide(approve("b"));
    expect(waiting.length).toBe(1);
    queue.decide(approve("c"));
    pass();
    expect(sent).toEqual(["approve a", "approve b", "approve c"]);
    for (const end of release) end();
    await vi.waitFor(() => expect(queue.taken).toEqual([]));
    expect(sent.length).toBe(3);
  });

  it("takes back the decision that waits alone, not the one that is being carried out", () => {
    const { queue, pass } = queueWith(() => new Promise(() => undefined));
    queue.undo();
    queue.decide(approve("a"));
    pass();
    queue.decide(approve("b"));
    queue.undo();
    expect(queue.taken.map(({ products }) => products)).toEqual([["a"]]);
    queue.undo();
    expect(queue.taken.map(({ products }) => products)).toEqual([["a"]]);
  });

  it("carries out nothing that was undone, and nothing of an empty choice", () => {
    const { queue, sent, waiting, pass } = queueWith();
    queue.decide(approve());
    queue.decide(approve("a"));
    queue.undo();
    expect(waiting).toEqual([]);
    pass();
    expect([sent, queue.taken]).toEqual([[], []]);
  });

  it("the next decision carries out the one before at once, which can no longer be undone", async () => {
    const { queue, sent } = queueWith();
    queue.decide(approve("a"));
    queue.decide({ verdict: "reject", products: ["b"], reason: "why" });
    await vi.waitFor(() => expect(sent).toEqual(["approve a"]));
    queue.undo();
    await vi.waitFor(() => expect(queue.taken).toEqual([]));
    expect(sent).toEqual(["approve a"]);
  });

  it("goes on with the other products where one fails, and says which", async () => {
    const { queue, failed, sent, pass } = queueWith((_, product) =>
      product === "b" ? Promise.reject(new Error("no")) : Promise.resolve(),
    );
    queue.decide(approve("a", "b", "c"));
    pass();
    await vi.waitFor(() => expect(queue.taken).toEqual([]));
    expect([failed, sent.length]).toEqual([["b"], 3]);
  });
});

describe("the words of calls", () => {
  it("every call has a name in people's words, and a field a label", () => {
    expect(["partners disable", "payment-links enable", "endpoints suspend", "keys list"].map(nameOfCall)).toEqual([
      "Disable a partner",
      "Enable a payment link",
      "Suspend an endpoint",
      "Keys",
    ]);
    expect(["unit_amount", "valid_from"].map(labelOf)).toEqual(["Price", "Valid from"]);
  });
});
