import { expireBankPayment, payBankPayment, paymentById, refundBankPayment } from "../bank/payments.ts";
import { pay, settle } from "../processor/checkout.ts";
import { closeDispute, dispute } from "../processor/disputes.ts";
import { refund } from "../processor/refunds.ts";
import { cancelAtPeriodEnd, endSubscription } from "../processor/subscription-changes.ts";
import { renew } from "../processor/subscriptions.ts";
import type { World } from "../world.ts";

const CUSTOMER = { email: "customer@example.com" };

/** Actions of customers and banks on an object, by button name. */
const actions = {
  pay: (world: World, id: string) => pay(world, id, CUSTOMER),
  "pay-slowly": (world: World, id: string) => pay(world, id, { ...CUSTOMER, outcome: "pending" }),
  decline: (world: World, id: string) => pay(world, id, { ...CUSTOMER, outcome: "failed" }),
  refund: (world: World, id: string) => refund(world, id, {}),
  dispute: (world: World, id: string) => dispute(world, id, { inquiry: false, reason: "fraudulent", due_in_days: 14 }),
  "settle-succeeded": (world: World, id: string) => settle(world, id, "succeeded"),
  "settle-failed": (world: World, id: string) => settle(world, id, "failed"),
  win: (world: World, id: string) => closeDispute(world, id, true),
  lose: (world: World, id: string) => closeDispute(world, id, false),
  renew: (world: World, id: string) => renew(world, id),
  "end-later": (world: World, id: string) => cancelAtPeriodEnd(world, id, null),
  end: (world: World, id: string) => endSubscription(world, id),
  "bank-pay": (world: World, id: string) => payBankPayment(world, paymentById(world, id), "confirmed"),
  "bank-decline": (world: World, id: string) => payBankPayment(world, paymentById(world, id), "rejected"),
  "bank-refund": (world: World, id: string) => refundBankPayment(world, paymentById(world, id), {}),
  "bank-expire": (world: World, id: string) => Promise.resolve(expireBankPayment(paymentById(world, id))),
};

/** Performs a button's action. @throws Error if there is no such button, or the object does not allow it */
export async function act(world: World, action: string, id: string): Promise<void> {
  const perform = (Object.entries(actions) as [string, (world: World, id: string) => Promise<unknown>][]).find(
    ([name]) => name === action,
  )?.[1];
  if (perform === undefined) throw new Error(`There is no button ${action}.`);
  await perform(world, id);
}
