import { z } from "zod";
import type { Bank, BankPaymentState } from "../bank/port.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { newNumericId } from "../core/ids.ts";
import { backoff, pausedInTime } from "../core/retry.ts";
import type { Database } from "../db/client.ts";
import type { BankCartPlan } from "./bank-cart.ts";
import { heldSchema, numberOf, type OpeningRun, orderIdOf, takingBack } from "./order-id.ts";
import { paymentRow } from "./payment-row.ts";
import { stageOf } from "./status.ts";
import { insertAbandonedPayment } from "./store.ts";

/** What it takes to open a payment, and to take one back. */
export interface Opening {
  readonly tools: { readonly db: Database; readonly clock: Clock };
  readonly bank: Bank;
  readonly run: OpeningRun;
  readonly plan: BankCartPlan;
}

const takenBack = (number: number) => `taken_back_${number}`;
/** A cancellation whose answer is lost is looked after so often. */
const MOST_LOOKS = 3;

/**
 * Takes back what the bank holds under the order's present id, if it holds anything, and so spends the id. What it holds
 * is stored before it is ended: an instance that has lost the record meanwhile is stopped there, since somebody may have
 * been told by now where to pay. Gives whether it held anything.
 */
export async function takeBack(opening: Opening): Promise<boolean> {
  const { tools, bank, run, plan } = opening;
  const number = numberOf(run);
  const orderId = await orderIdOf(run, number);
  const held = await bank.paymentsOf(orderId, run);
  const [first] = held;
  if (first === undefined) return false;
  const now = tools.clock.now();
  const row = paymentRow(plan, run, { paymentId: newNumericId(), orderId, bankPaymentId: first.bankPaymentId, paymentUrl: null }, now);
  const ids = { bankPaymentIds: held.map(({ bankPaymentId }) => bankPaymentId) };
  // With its row, since the bank tells of the end at once.
  await run.step(
    takingBack(number),
    heldSchema,
    () => Promise.resolve(ids),
    () => [insertAbandonedPayment(tools.db, { ...row, status: first.status })],
  );
  await endHeld(opening, number, held);
  return true;
}

/**
 * The same for a run that goes on from another, or begins anew after one: what that one began to take back is ended
 * first, and every id that was ever used is passed.
 */
export async function takeBackEarlier(opening: Opening): Promise<void> {
  const { bank, run } = opening;
  const last = numberOf(run) - 1;
  const isCutOff = last > 0 && run.made(takenBack(last), z.literal(true)) === undefined;
  if (isCutOff) await endHeld(opening, last, await bank.paymentsOf(await orderIdOf(run, last), run));
  let isSpent = true;
  while (isSpent) isSpent = await takeBack(opening);
}

/** Ends what was stored to be taken back, and nothing that the bank holds beside it. */
async function endHeld({ bank, run }: Opening, number: number, held: readonly BankPaymentState[]): Promise<void> {
  const stored = run.made(takingBack(number), heldSchema) ?? { bankPaymentIds: [] };
  const orderId = await orderIdOf(run, number);
  for (const payment of held) {
    if (stored.bankPaymentIds.includes(payment.bankPaymentId)) await endUnpaid(bank, run, orderId, payment);
  }
  await run.step(
    takenBack(number),
    z.literal(true),
    () => Promise.resolve(true as const),
    () => [],
  );
}

/**
 * Ends a payment that nobody has begun to pay: to cancel any other would move money. A cancellation is sent once for each
 * look that shows the payment as new, since the bank refuses to repeat one.
 */
async function endUnpaid(bank: Bank, run: OpeningRun, orderId: string, held: BankPaymentState): Promise<void> {
  let { status } = held;
  for (let looks = 1; ; looks += 1) {
    const stage = stageOf(status);
    if (stage === "over" || stage === "rejected") return;
    if (status !== "NEW") throw new UnexpectedState(status);
    try {
      return await bank.cancelPayment(held.bankPaymentId, run);
    } catch (thrown) {
      const again = thrown instanceof ServiceFailure && looks < MOST_LOOKS && (await pausedInTime(run.deadline, backoff(looks)));
      if (!again) throw thrown;
      const now = await bank.paymentsOf(orderId, run);
      status = now.find(({ bankPaymentId }) => bankPaymentId === held.bankPaymentId)?.status ?? status;
    }
  }
}

/** The bank holds a payment of the order that somebody seems to have begun to pay, and nobody knows its address. */
export class UnexpectedState extends ServiceFailure {
  constructor(status: string) {
    const cause = new Error(`the bank holds a payment as ${status}, and nobody knows its address`);
    const message = "the bank holds this order in a state that support has to look into";
    super({ kind: "upstream_failed", upstream: "bank", code: null, message }, { leaves: "unknown", cause });
  }
}
