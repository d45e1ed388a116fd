import { createTBank } from "../../../src/bank/t-bank.ts";
import { CallBudget } from "../../../src/core/call-budget.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { BankTerminal } from "../../../src/core/settings.ts";
import { fetchUpstream } from "../../../src/core/trace.ts";

const BUDGET = 25_000;
const DAY = 86_400_000;

const within = () => ({ budget: new CallBudget(systemClock, BUDGET) });

/** Opens a payment of 100 rubles at a test terminal of the bank, reads it in every way, and cancels it. */
export async function walkBank(base: string, terminal: BankTerminal, say: (step: string) => void): Promise<void> {
  const bank = createTBank(base, terminal, fetchUpstream);
  const orderId = crypto.randomUUID().replaceAll("-", "");
  say("Init: open a payment");
  const opened = await bank.openPayment(
    {
      orderId,
      amount: 10_000,
      description: "verification",
      lines: [{ name: "verification", price: 5_000, quantity: 2, amount: 10_000, vat: "none" }],
      buyer: { email: "verification@example.com", phone: null },
      data: { ep_order: "verification" },
      notificationUrl: "https://example.com/ingest/bank",
      expiresAt: Date.now() + DAY,
      successUrl: null,
      failUrl: null,
    },
    within(),
  );
  try {
    say("GetQr: its link for fast payments");
    await bank.fastPaymentLink(opened.bankPaymentId, within());
    say("GetState: its status");
    await bank.stateOf(opened.bankPaymentId, within());
    say("CheckOrder: the payments of its order");
    const held = await bank.paymentsOf(orderId, within());
    if (!held.some(({ bankPaymentId }) => bankPaymentId === opened.bankPaymentId)) throw new Error("the order does not show its payment");
  } finally {
    say("Cancel: cancel it");
    await bank.cancelPayment(opened.bankPaymentId, within());
  }
  say("CheckOrder: an order that does not exist");
  if ((await bank.paymentsOf(`${orderId}x`.slice(1), within())).length > 0) throw new Error("an unknown order has payments");
}
