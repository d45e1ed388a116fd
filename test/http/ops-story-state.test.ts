import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliveryAttempts, endpoints, events, refreshes } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, call, cart, keys, REGISTER } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { change, ops } from "../support/ops.ts";
import { delivered, line, type Paid, quiet } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf, emptyTables, fieldOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

const clean = async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
  await control("/events", { environment: "test", hold: false });
  await control("/inbox/state", { status: 200 });
  await emptyTables(refreshes);
};
beforeEach(async () => {
  await clean();
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/state`, client_token: "state" });
});
afterEach(clean);

interface Entry {
  at: string;
  kind: string;
  id: string;
  says: string;
  objects: string[];
  wrong: string | null;
  command: string | null;
}
const story = async (q: string): Promise<Entry[]> => (await ops(`story?q=${encodeURIComponent(q)}`)).body.entries;
const wrongIn = (entries: Entry[]) =>
  entries.filter(({ wrong }) => wrong !== null).map(({ kind, wrong, command }) => [kind, wrong, command]);
const breakLookUps = () => control("/faults", { target: "processor", call: "charges.retrieve", times: 100_000, kind: "http_400" });
const failed = (attempts: number) => until(async () => expect(await countOf(refreshes, { attempts })).toBe(1));

async function order(how: object = {}): Promise<{ made: any; paid: Paid }> {
  const made = (await call(CART, cart({ items: [line("TestUsd1")], client_token: crypto.randomUUID() }))).body;
  return { made, paid: await control<Paid>("/pay", { short_url: made.short_url, ...how }) };
}

describe("what waits to be looked up", () => {
  it("is said with what was reported, what failed and what helps; later it stays in the past", async () => {
    await breakLookUps();
    const { made, paid } = await order();
    await failed(1);
    const pending = await story(made.payment_link_id);
    const reported = pending.find(({ kind, says }) => kind === "processor_event" && says.includes("charge.succeeded"));
    expect(reported?.objects).toEqual([paid.payment_intent, paid.charge]);
    const help = `ledger refresh test ${paid.payment_intent}`;
    expect(wrongIn(pending)).toEqual([
      ["look_up", expect.stringMatching(/^It is not recorded yet: one attempt failed, the last one with /), help],
    ]);
    expect(pending.find(({ kind }) => kind === "look_up")?.says).toMatch(
      /charge\.succeeded.* waits for its look-up at the processor; the next attempt is due /,
    );
    await control("/faults", undefined, "DELETE");
    pass(10 * MINUTE);
    await cron();
    await until(async () => expect(await countOf(refreshes)).toBe(0));
    const done = await story(made.payment_link_id);
    expect(wrongIn(done)).toEqual([]);
    // What was pending at that time is still told of that time, and the change has an entry of its own.
    for (const entry of pending.filter(({ kind }) => kind !== "look_up")) expect(done).toContainEqual(entry);
    expect(done.map(({ at }) => at)).toEqual(done.map(({ at }) => at).toSorted());
    expect(done.map(({ says }) => says)).toEqual(
      expect.arrayContaining(["Payment of 19.00 USD.", "Its status at the processor was completed."]),
    );
  });

  it("of a refund is said too, beside the payment that is recorded", async () => {
    const { paid } = await order();
    await quiet();
    await control("/faults", { target: "processor", call: "refunds.retrieve", times: 100_000, kind: "http_400" });
    await control("/refund", { payment_intent: paid.payment_intent });
    await failed(1);
    const entries = await story(paid.payment_intent);
    expect(wrongIn(entries)).toEqual([
      ["look_up", expect.stringContaining("not recorded yet"), `ledger refresh test ${paid.payment_intent}`],
    ]);
    expect(entries.some(({ says }) => says === "Payment of 19.00 USD.")).toBe(true);
    expect(entries.find(({ kind }) => kind === "look_up")?.says).toContain("refund.created");
  });

  it("and is parked is tried again by its own command", async () => {
    await breakLookUps();
    const { paid } = await order();
    await failed(1);
    await updateRows(refreshes, { state: "parked" }, { subject: paid.payment_intent });
    expect(wrongIn(await story(paid.payment_intent))).toEqual([
      ["look_up", expect.stringContaining("not recorded yet"), `parked-payments retry ${paid.payment_intent}`],
    ]);
  });
});

describe("what hides an order", () => {
  it("is a disabled partner, since it was disabled, by whom, and until it is enabled", async () => {
    const { made } = await order();
    await quiet();
    await change("partners/acme/disable");
    try {
      const entries = await story(made.short_url_id);
      expect(wrongIn(entries)).toContainEqual(["partner", expect.stringContaining("links do not work"), "partners enable acme"]);
      const [act, state] = [entries.find(({ kind }) => kind === "act"), entries.find(({ kind }) => kind === "partner")];
      expect(act).toMatchObject({ says: "Maria disabled the partner.", at: state?.at });
    } finally {
      await change("partners/acme/enable");
    }
    const after = await story(made.short_url_id);
    expect(wrongIn(after).filter(([kind]) => kind === "partner")).toEqual([]);
    expect(after.filter(({ kind }) => kind === "act").map(({ says }) => says)).toEqual([
      "Maria disabled the partner.",
      "Maria enabled the partner.",
    ]);
  });
});

describe("what keeps an event from its receiver", () => {
  const suspendedBy = async (reason: string) => {
    const { paid } = await order();
    await delivered(paid);
    await change("endpoints/ep_acme_test/suspend");
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent });
    await quiet();
    await updateRows(endpoints, { suspension_reason: reason }, { id: "ep_acme_test" });
    const found = wrongIn(await story(refund)).filter(([kind]) => kind === "delivery");
    await updateRows(endpoints, { suspension_reason: "operator" }, { id: "ep_acme_test" });
    await change("endpoints/ep_acme_test/resume");
    return found;
  };

  it.each([
    ["operator", "Its webhook is suspended by an operator.", "endpoints resume ep_acme_test"],
    ["gone", "Its webhook is suspended, because it answered 410. The receiver must be repaired first.", "endpoints resume ep_acme_test"],
    [
      "failing",
      "Its webhook is suspended after days with only failures. The receiver must be repaired first.",
      "endpoints resume ep_acme_test",
    ],
    ["partner_disabled", "Its webhook is suspended, because its partner is disabled.", "partners enable acme"],
  ])("is said with the command that ends it: %s", async (reason, wrong, command) => {
    expect(await suspendedBy(reason)).toEqual([["delivery", wrong, command]]);
  });

  it("is a webhook that was never registered: that comes first, and then the event is sent again", async () => {
    const { paid } = await order();
    const id = await delivered(paid);
    // A later event of the payment would wait for its look-up.
    await quiet();
    await updateRows(events, { state: "no_endpoint", endpoint_id: "ep_nobody_test" }, { id });
    expect(wrongIn(await story(paid.payment_intent))).toEqual([
      ["delivery", "No webhook is registered for this environment: one must be registered first.", null],
    ]);
    await updateRows(events, { state: "no_endpoint", endpoint_id: "ep_acme_test" }, { id });
    expect(wrongIn(await story(paid.payment_intent))).toEqual([
      ["delivery", "No webhook was registered for this environment at that time.", `deliveries resend ${id}`],
    ]);
  });

  it("names whom to write to while a receiver fails", async () => {
    await change("partners/acme/contact", { contact: "tech@acme.example" });
    await control("/inbox/state", { status: 500 });
    const { paid } = await order();
    await quiet();
    await until(async () =>
      expect(wrongIn(await story(paid.payment_intent))).toEqual([
        ["delivery", expect.stringMatching(/^The event waits: .* Write to tech@acme\.example\.$/), expect.stringContaining("resend")],
      ]),
    );
    await change("partners/acme/contact", { contact: "none" });
  });
});

describe("a disabled partner", () => {
  it("gets nothing by a resend, is said where a key is explained, and in its own story", async () => {
    const { paid } = await order();
    const id = await delivered(paid);
    await change("partners/acme/disable");
    try {
      expect(await change(`deliveries/${id}/resend`)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining("partners enable acme") },
      });
      expect((await change("endpoints/ep_acme_test/send-again?since=2026-01-01")).body.error).toContain("partners enable acme");
      expect((await ops(`idempotency?partner=acme&operation=${CART}&key=x`)).body.words).toContain("The partner is disabled");
      const own = await story("acme");
      expect(wrongIn(own)).toContainEqual(["partner", expect.any(String), "partners enable acme"]);
      expect(own.filter(({ kind }) => kind === "act").map(({ says }) => says)).toContain("Maria disabled the partner.");
    } finally {
      await change("partners/acme/enable");
    }
    expect((await story("ep_acme_test")).map(({ says }) => says)).toContain("Maria suspended a webhook.");
  });
});

describe("what operators did", () => {
  it("stands in the story with who did it, and in the partner's audit list", async () => {
    await control("/inbox/state", { status: 500 });
    const { paid } = await order();
    await quiet();
    const cause = `payment.succeeded:processor:${paid.balance_transaction}`;
    await until(async () => expect(await countOf(deliveryAttempts, { event_id: await fieldOf(events, "id", { cause }) })).toBe(1));
    const event = (await fieldOf(events, "id", { cause })) as string;
    const by = (path: string) => ops(path, { method: "POST", headers: { "X-Operator": "Ann" } });
    await by(`deliveries/${event}/resend`);
    await by("endpoints/ep_acme_test/suspend");
    await by("endpoints/ep_acme_test/resume");
    await ops("ledger/refresh", {
      method: "POST",
      body: { environment: "test", id: paid.payment_intent },
      headers: { "X-Operator": "Ann" },
    });
    const says = (await story(paid.payment_intent)).filter(({ kind }) => kind === "act").map((entry) => entry.says);
    expect(says).toEqual([
      "Ann sent an event again.",
      "Ann suspended a webhook.",
      "Ann resumed a webhook.",
      "Ann asked the processor for a payment.",
    ]);
    const { data } = (await ops("audit?partner=acme&limit=4")).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      "ledger.refresh",
      "endpoint.resume",
      "endpoint.suspend",
      "delivery.resend",
    ]);
  });
});

describe("an entry", () => {
  it("of an attempt says what the receiver answered", async () => {
    await control("/inbox/state", { status: 503 });
    const { paid } = await order();
    await quiet();
    const attempt = async () =>
      (await story(paid.payment_intent)).find(({ kind, says }) => kind === "delivery" && says.startsWith("Attempt 1"));
    await until(async () => expect(await attempt()).toBeDefined());
    expect((await attempt())?.says).toMatch(/^Attempt 1: failed, HTTP 503; the receiver answered: /);
  });

  it("names its objects: the payment, the charge, the order at the bank and the bank's id", async () => {
    const { paid } = await order();
    await quiet();
    const entries = await story(paid.payment_intent);
    for (const kind of ["movement", "processor_event", "event"]) {
      expect(entries.find((entry) => entry.kind === kind)?.objects).toContain(paid.payment_intent);
    }
    expect(entries.find(({ kind }) => kind === "movement")?.objects).toContain(paid.charge);
    const bank = (await call(BANK, bankCart({ environment: "test" }))).body;
    await control("/bank/pay", { order_id: bank.order_id });
    await quiet();
    const ofBank = await story(bank.order_id);
    expect(ofBank.find(({ kind }) => kind === "bank_payment")?.objects).toEqual([expect.stringMatching(/^\d+$/)]);
    for (const kind of ["bank_notification", "event"])
      expect(ofBank.find((entry) => entry.kind === kind)?.objects).toContain(bank.order_id);
    expect(ofBank.filter(({ kind }) => kind === "bank_payment").map(({ says }) => says)).toEqual([
      expect.stringMatching(/^A payment of 3,000\.00 RUB was opened at the bank\.$/),
      expect.stringMatching(/^The bank said that it was paid|^Its status at the bank was CONFIRMED/),
      expect.stringMatching(/^The bank said that it was paid|^Its status at the bank was CONFIRMED/),
    ]);
  });

  it("of an answered key names the ids of its result, and no address", async () => {
    const made = (await call(CART, cart({ client_token: "explained-ids" }))).body;
    const { text, body } = await ops(`idempotency?partner=acme&operation=${CART}&key=explained-ids`);
    expect(body.result_ids).toMatchObject({ paymentLinkId: made.payment_link_id });
    for (const hidden of ["http", keys.acme]) expect(text).not.toContain(hidden);
  });
});
