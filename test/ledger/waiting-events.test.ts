import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { refreshes } from "../../src/db/schema/index.ts";
import { processSubject, receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { FURTHER_CELLS, withEventQueue } from "../support/cells.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { dropHeldEvents, hideObjects } from "../support/objects.ts";
import { aroundEffects, countEffects, resetEffects } from "../support/observe.ts";
import { movementOf, pay } from "../support/payments.ts";
import { control, world } from "../support/stack.ts";
import { countOf, fieldOf, rowOf, updateRows } from "../support/tables.ts";

afterEach(() => {
  resetEffects();
  realTime();
});

/** The processor's events of one payment that wait together. */

describe("events of one payment", () => {
  const event = (id: string, type: string, subject: string, objectId: string) =>
    ({ id, type, subject, environment: "test", objectId, partnerId: "acme" }) as const;
  const quietly = () => {
    const woken: string[] = [];
    const processorEventQueue = {
      send: (ids: readonly string[]) => {
        woken.push(...ids);
        return Promise.resolve();
      },
    };
    return { woken, deps: withEventQueue(processorEventQueue) };
  };
  const silentPayment = async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    return paid;
  };

  it("that wait together wake once, and need one refresh", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    const three = [1, 2, 3].map((number) =>
      event(`evt_together_${number}_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge),
    );
    for (const one of [...three, ...three]) await receiveProcessorEvents(own, [one]);
    expect(woken).toEqual([paid.payment_intent]);
    const { counts } = await countEffects(() => processSubject(own, paid.payment_intent));
    expect(counts).toMatchObject({ processor: 2, d1: 3 + (FURTHER_CELLS > 0 ? 1 : 0) });
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
    // What is worked off wakes nobody when it comes again.
    await receiveProcessorEvents(own, three);
    expect(woken).toHaveLength(1);
  });

  it("one of which comes while the others are refreshed are refreshed again, for that one", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    await receiveProcessorEvents(own, [event(`evt_first_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    let came = false;
    aroundEffects(async (effect, perform) => {
      if (effect !== "processor" || came) return perform();
      came = true;
      await receiveProcessorEvents(own, [event(`evt_second_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
      return perform();
    });
    await processSubject(own, paid.payment_intent);
    resetEffects();
    // It did not wake by itself, since its payment was due already; the consumer that found it does.
    expect(woken).toEqual([paid.payment_intent, paid.payment_intent]);
    expect(await fieldOf(refreshes, "attempts", { subject: paid.payment_intent })).toBe(0);
    await processSubject(own, paid.payment_intent);
    expect(await countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
  });

  it("one of which leads to what cannot be read does not hide the money of the others", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const paid = await silentPayment();
    const { deps: own } = quietly();
    await receiveProcessorEvents(own, [
      event(`evt_good_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge),
      event(`evt_bad_${paid.charge}`, "charge.dispute.created", paid.payment_intent, "du_unreadable"),
    ]);
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect(await fieldOf(refreshes, "last_error", { subject: paid.payment_intent })).toContain(
      "the processor has no dispute du_unreadable",
    );
    log.mockRestore();
  });

  it("a new one of which comes to a parked payment makes it due again at once", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    await env.CELL_1.prepare("INSERT INTO refreshes VALUES (?, 'test', 'parked', 14, 0, 'away', ?, 'internal')")
      .bind(paid.payment_intent, Date.now())
      .run();
    await receiveProcessorEvents(own, [event(`evt_revives_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    expect(woken).toEqual([paid.payment_intent]);
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
  });

  it("of two refunds that wait together need a lookup each, and no third", async () => {
    const paid = await silentPayment();
    await control("/events", { environment: "test", hold: true });
    const refunds: string[] = [];
    for (const amount of [100, 200]) {
      const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, amount });
      refunds.push(refund);
    }
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    const { deps: own } = quietly();
    await receiveProcessorEvents(
      own,
      refunds.map((refund) => event(`evt_again_${refund}`, "refund.updated", paid.payment_intent, refund)),
    );
    const { counts } = await countEffects(() => processSubject(own, paid.payment_intent));
    expect(counts.processor).toBe(6);
  });

  it("that is not due is left to its own message", async () => {
    const paid = await silentPayment();
    const { woken, deps: own } = quietly();
    await receiveProcessorEvents(own, [event(`evt_undue_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
    await updateRows(refreshes, { next_attempt_at: Date.now() + HOUR }, { subject: paid.payment_intent });
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toBeNull();
    expect(woken).toHaveLength(1);
    // One that comes by moments too soon, because clocks differ, is sent again.
    await updateRows(refreshes, { next_attempt_at: Date.now() + 4_000 }, { subject: paid.payment_intent });
    await processSubject(own, paid.payment_intent);
    expect(woken).toHaveLength(2);
    expect(await movementOf(paid)).toBeNull();
  });

  it("a new one of which comes during an attempt that fails is tried soon, even if that attempt was the last", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const paid = await silentPayment();
    const { deps: own } = quietly();
    await receiveProcessorEvents(own, [event(`evt_bad_${paid.charge}`, "charge.dispute.created", paid.payment_intent, "du_unreadable")]);
    await updateRows(refreshes, { attempts: 13 }, { subject: paid.payment_intent });
    let came = false;
    aroundEffects(async (effect, perform) => {
      if (effect !== "processor" || came) return perform();
      came = true;
      await receiveProcessorEvents(own, [event(`evt_new_${paid.charge}`, "charge.updated", paid.payment_intent, paid.charge)]);
      return perform();
    });
    await processSubject(own, paid.payment_intent);
    resetEffects();
    expect(await rowOf(refreshes, { subject: paid.payment_intent })).toMatchObject({ state: "due", attempts: 0 });
    await processSubject(own, paid.payment_intent);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    log.mockRestore();
  });

  it("of a paid invoice whose payment is not there yet wait for it, though its subscription can be read", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestMonthly"]);
    const invoice = (world.state.order.invoice ?? []).at(-1) ?? "";
    await hideObjects("invoice_payment");
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    const { deps: own } = quietly();
    const subject = paid.subscription ?? "";
    await receiveProcessorEvents(own, [
      event(`evt_invoice_${invoice}`, "invoice.paid", subject, invoice),
      event(`evt_sub_${subject}`, "customer.subscription.updated", subject, subject),
    ]);
    await processSubject(own, subject);
    expect(await rowOf(refreshes, { subject })).toMatchObject({ state: "due", attempts: 1, last_error: null });
    await hideObjects("invoice_payment", false);
    pass(MINUTE);
    await processSubject(own, subject);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme", subscription_id: subject });
    expect(await countOf(refreshes, { subject })).toBe(0);
  });

  it("of an unknown type are not kept", async () => {
    const { woken, deps: own } = quietly();
    expect(await receiveProcessorEvents(own, [event("evt_unknown_type", "customer.created", "cus_1", "cus_1")])).toBe(0);
    expect(woken).toEqual([]);
  });
});
