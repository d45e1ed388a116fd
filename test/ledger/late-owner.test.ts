import { afterEach, describe, expect, it } from "vitest";
import { events, movements } from "../../src/db/schema/index.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import { sweepUnattributedMovements } from "../../src/ledger/unattributed.ts";
import type { PaymentFacts } from "../../src/processor/facts.ts";
import { cellDeps } from "../support/cells.ts";
import { seeingFirst } from "../support/first-look.ts";
import { MINUTE, realTime } from "../support/later.ts";
import { dropHeldEvents } from "../support/objects.ts";
import { resetEffects } from "../support/observe.ts";
import { movementOf, pay } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { countOf, fieldOf } from "../support/tables.ts";

afterEach(() => {
  resetEffects();
  realTime();
});

/** Partner events of a payment whose owner is known only later. */

describe("an event that a partner never got", () => {
  const succeeded = (paid: { balance_transaction: string }) =>
    countOf(events, { cause: `payment.succeeded:processor:${paid.balance_transaction}` });
  const look = (how: ReturnType<typeof seeingFirst>, paid: { charge: string }) => refresh(how, "test", { kind: "charge", id: paid.charge });
  const silent = async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    return paid;
  };
  const pending = (facts: PaymentFacts): PaymentFacts => ({ ...facts, charge: facts.charge && { ...facts.charge, status: "pending" } });
  const ownerless = (facts: PaymentFacts): PaymentFacts => ({ ...facts, metadata: { partner_id: "somebody-else" } });

  it("comes once the owner is known again, though a look without it has stored the status", async () => {
    const paid = await silent();
    await look(seeingFirst(pending), paid);
    await look(seeingFirst(ownerless), paid);
    expect(await succeeded(paid)).toBe(0);
    await look(
      seeingFirst((facts) => facts),
      paid,
    );
    expect(await succeeded(paid)).toBe(1);
    expect(await fieldOf(movements, "recorded_events", { id: `processor:${paid.balance_transaction}` })).toBe(
      "payment.pending,payment.succeeded,",
    );
  });

  it("comes though an older look, which had nothing to say, made the owner known", async () => {
    const paid = await silent();
    await look(seeingFirst(ownerless), paid);
    const { clock, processor, looks } = seeingFirst(pending, MINUTE);
    await refresh({ ...cellDeps().inDirectory(), clock, processor }, "test", { kind: "charge", id: paid.charge });
    expect(looks()).toBe(1);
    // What was seen later is still in the directory: it is looked up again.
    await sweepUnattributedMovements(cellDeps().inDirectory());
    expect(await succeeded(paid)).toBe(1);
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme", status: "completed" });
    expect(await countOf(movements, { id: `processor:${paid.balance_transaction}` })).toBe(1);
  });

  it("comes though the older look was made in the cell, as soon as the sweep has compared", async () => {
    const paid = await silent();
    await look(seeingFirst(ownerless), paid);
    await look(seeingFirst(pending, MINUTE), paid);
    await sweepUnattributedMovements(cellDeps().inDirectory());
    expect(await succeeded(paid)).toBe(1);
    expect(await countOf(movements, { id: `processor:${paid.balance_transaction}` })).toBe(1);
  });
});
