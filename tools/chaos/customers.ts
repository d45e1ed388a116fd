import type { History } from "./history.ts";
import type { Order } from "./orders.ts";
import type { Random } from "./random.ts";
import type { ChaosSystem } from "./system.ts";

/** The payments so far, so that refunds and others can follow. */
export interface Payments {
  /** Payment intents that succeeded. */
  readonly paid: string[];
  readonly pending: string[];
  readonly subscriptions: string[];
  readonly disputes: string[];
  readonly refunds: string[];
  /** Orders at the bank that were paid. */
  readonly bankOrders: string[];
  /** Each order reference is used once, so the auditor can tell the owner of a payment. */
  references: number;
}

/** A customer pays for an order. A refusal of the sandbox, or an edge that is down, is expected. */
export async function payFor(system: ChaosSystem, history: History, random: Random, payments: Payments, order: Order): Promise<void> {
  if (order.payAt === null) return;
  if (order.kind === "bank") {
    const outcome = random.happens(0.85) ? "confirmed" : "rejected";
    const paid = await tried(history, "customer", `bank: ${outcome}`, [order.token, order.payAt], () =>
      system.control("/bank/pay", { order_id: order.payAt, outcome, silent: random.happens(0.2) }),
    );
    if (paid !== undefined && outcome === "confirmed") payments.bankOrders.push(order.payAt);
    return;
  }
  payments.references += 1;
  const outcome = random.weighted([
    [8, "succeeded"],
    [1, "pending"],
    [1, "failed"],
  ] as const);
  const client_reference_id = `reference-${payments.references}`;
  const email = `buyer-${payments.references}@buyers.example`;
  await tried(history, "customer", `pays: ${outcome}`, [order.token, order.made[0], client_reference_id], async () => {
    const paid = await system.control("/pay", {
      short_url: order.payAt,
      client_reference_id,
      email,
      outcome,
      balance_after_ms: random.between(0, 2_000),
    });
    const intent = paid.payment_intent;
    if (typeof paid.subscription === "string") payments.subscriptions.push(paid.subscription);
    if (typeof intent === "string" && outcome !== "failed") (outcome === "pending" ? payments.pending : payments.paid).push(intent);
    return paid;
  });
}

/** Something happens to an earlier payment: a refund, a dispute, a renewal, or the end of a slow payment. */
export async function happenLater(system: ChaosSystem, history: History, random: Random, payments: Payments): Promise<void> {
  const paid = random.pick(payments.paid);
  const subscription = random.pick(payments.subscriptions);
  const dispute = random.pick(payments.disputes);
  const pending = payments.pending.shift();
  const bankOrder = random.pick(payments.bankOrders);
  const act = (what: string, path: string, body: Readonly<Record<string, unknown>>) =>
    Object.values(body).includes(undefined)
      ? Promise.resolve(undefined)
      : tried(
          history,
          "processor",
          what,
          Object.values(body).filter((value) => typeof value === "string"),
          () => system.control(path, body),
        );
  if (pending !== undefined)
    await act("a slow payment ends", "/settle", { payment_intent: pending, outcome: random.happens(0.7) ? "succeeded" : "failed" });
  await random.weighted([
    [
      4,
      async () => {
        const how = { pending: random.happens(0.2), fail: random.happens(0.1) };
        const made = await act("refund", "/refund", { payment_intent: paid, amount: random.between(1, 60), ...how });
        if (how.pending && typeof made?.refund === "string") payments.refunds.push(made.refund);
        return made;
      },
    ],
    [
      2,
      () =>
        act("end of a refund", "/refund/settle", {
          refund: payments.refunds.shift(),
          outcome: random.happens(0.7) ? "succeeded" : "failed",
        }),
    ],
    [1, () => act("refund at the bank", "/bank/refund", { order_id: bankOrder, amount: random.between(100, 5_000) })],
    [3, () => act("renewal", "/renew", { subscription })],
    [1, () => act("end of a subscription", "/end-subscription", { subscription })],
    [1, () => act("verdict", "/dispute/close", { dispute, won: random.happens(0.5) })],
    [
      1,
      async () => {
        const opened = await act("dispute", "/dispute", { payment_intent: paid });
        if (typeof opened?.dispute === "string") payments.disputes.push(opened.dispute);
        return opened;
      },
    ],
  ] as const)();
}

/** Tries something that may be refused. Undefined if it was. */
async function tried(
  history: History,
  actor: "customer" | "processor",
  what: string,
  about: readonly (string | undefined)[],
  does: () => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown> | undefined> {
  try {
    const done = await does();
    history.note(actor, what, [...about, ...Object.values(done).filter((value) => typeof value === "string")], "done");
    return done;
  } catch (thrown) {
    history.note(actor, what, about, `refused: ${thrown instanceof Error ? thrown.message.slice(0, 120) : ""}`);
    return undefined;
  }
}
