import * as z from "zod";
import type { Bank, BankPaymentState } from "../bank/port.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { newNumericId } from "../core/ids.ts";
import { backoff, waitBeforeRetry } from "../core/retry.ts";
import { type Cell, runBatch } from "../db/client.ts";
import type { CompensationRun } from "../idempotency/workflow.ts";
import type { BankCartPlan } from "./bank-cart.ts";
import { cancellationStartedStep, currentOrderIdNumber, type OpeningRunContext, orderIdOf, storedPaymentsSchema } from "./order-id.ts";
import { paymentRow } from "./payment-row.ts";
import { stageOf } from "./status.ts";
import { findByOrder, insertPaymentToCancel } from "./store.ts";

/** The inputs for opening a payment and for its compensation. */
export interface OpeningContext {
  readonly deps: { readonly db: Cell; readonly clock: Clock };
  readonly bank: Bank;
  readonly run: OpeningRunContext;
  readonly plan: BankCartPlan;
}

/** The inputs for cancelling the payments of failed attempts. Their URLs never reached a caller. */
type LostPayments = Omit<OpeningContext, "run"> & { readonly run: CompensationRun };

const cancellationDoneStep = (number: number) => `cancellation_done_${number}`;
/** Maximum number of attempts to cancel a payment. The payment is polled before each retry. */
const MAX_CANCEL_ATTEMPTS = 3;

/**
 * Cancels the payments that the bank has under the order's current id. If there are any, their ids are stored before
 * they are cancelled; that step also advances {@link currentOrderIdNumber}, so the id is not used again. A run that lost
 * ownership of its idempotency record fails at that write: it cannot cancel a payment whose URL a newer run has
 * returned. Returns whether the bank had any payments.
 */
export async function compensateOpening(opening: OpeningContext): Promise<boolean> {
  const { deps, bank, run, plan } = opening;
  const number = currentOrderIdNumber(run);
  const orderId = await orderIdOf(run, number);
  const held = await bank.paymentsOf(orderId, run);
  const [first] = held;
  if (first === undefined) return false;
  const now = deps.clock.now();
  const row = paymentRow(plan, run, { paymentId: newNumericId(), orderId, bankPaymentId: first.bankPaymentId, paymentUrl: null }, now);
  const ids = { bankPaymentIds: held.map(({ bankPaymentId }) => bankPaymentId) };
  // The step and the payment's row are written together, because the bank sends a notification of the cancellation at
  // once.
  await run.step(
    cancellationStartedStep(number),
    storedPaymentsSchema,
    () => Promise.resolve(ids),
    () => [insertPaymentToCancel(deps.db, { ...row, status: first.status })],
  );
  await cancelStored(opening, number, held);
  return true;
}

/**
 * Compensation for a run that resumes an earlier run or starts over after it. First finishes a cancellation that the
 * earlier run has started. Then compensates every id that was used, until an unused id is reached.
 */
export async function compensateEarlierRuns(opening: OpeningContext): Promise<void> {
  const { bank, run } = opening;
  const last = currentOrderIdNumber(run) - 1;
  const isCutOff = last > 0 && run.stepOutput(cancellationDoneStep(last), z.literal(true)) === undefined;
  if (isCutOff) await cancelStored(opening, last, await bank.paymentsOf(await orderIdOf(run, last), run));
  let wasUsed = true;
  while (wasUsed) wasUsed = await compensateOpening(opening);
}

/**
 * Cancels every payment that the bank still has for a record whose attempts have failed, under each order id that was
 * used. An order id has one row. It is inserted first if it is missing, because the bank sends a notification of the
 * cancellation. If the row has a payment URL, a newer run has started and its caller may pay, so this function stops and
 * leaves the rest to that run, earlier failures included. If one cancellation fails, the others are still tried.
 * @throws ServiceFailure if the bank fails, or if a customer has started to pay.
 */
export async function cancelLostPayments({ deps, bank, run, plan }: LostPayments): Promise<void> {
  const wasStarted = (number: number) => run.stepOutput(cancellationStartedStep(number), storedPaymentsSchema) !== undefined;
  let failure: ServiceFailure | null = null;
  for (let number = 1; ; number += 1) {
    const orderId = await orderIdOf(run, number);
    const held = await bank.paymentsOf(orderId, run);
    const [first] = held;
    if (first === undefined && !wasStarted(number)) break;
    if (first === undefined) continue;
    const payment = { paymentId: newNumericId(), orderId, bankPaymentId: first.bankPaymentId, paymentUrl: null };
    const row = { ...paymentRow(plan, run, payment, deps.clock.now()), status: first.status };
    await runBatch(deps.db, [insertPaymentToCancel(deps.db, row)]);
    const stored = await findByOrder(deps.db, orderId);
    if (stored === undefined || stored.paymentUrl !== null) return;
    for (const one of held) {
      try {
        await cancelUnpaid(bank, run, orderId, one);
      } catch (thrown) {
        if (!(thrown instanceof ServiceFailure)) throw thrown;
        failure = thrown;
      }
    }
  }
  if (failure !== null) throw failure;
}

/** Cancels only the payments that were stored for cancellation, not other payments that the bank has for the order. */
async function cancelStored({ bank, run }: OpeningContext, number: number, held: readonly BankPaymentState[]): Promise<void> {
  const stored = run.stepOutput(cancellationStartedStep(number), storedPaymentsSchema) ?? { bankPaymentIds: [] };
  const orderId = await orderIdOf(run, number);
  for (const payment of held) {
    if (stored.bankPaymentIds.includes(payment.bankPaymentId)) await cancelUnpaid(bank, run, orderId, payment);
  }
  await run.step(
    cancellationDoneStep(number),
    z.literal(true),
    () => Promise.resolve(true as const),
    () => [],
  );
}

/**
 * Cancels a payment that no customer has started to pay: cancelling any other payment would move money. Each
 * cancellation needs its own poll that shows the payment as `NEW`, because the bank refuses a repeated cancellation.
 */
async function cancelUnpaid(bank: Bank, run: Pick<OpeningRunContext, "budget">, orderId: string, held: BankPaymentState): Promise<void> {
  let { status } = held;
  for (let looks = 1; ; looks += 1) {
    const stage = stageOf(status);
    if (stage === "over" || stage === "rejected" || stage === "refunded") return;
    if (status !== "NEW") throw new UnexpectedPaymentState(status);
    try {
      return await bank.cancelPayment(held.bankPaymentId, run);
    } catch (thrown) {
      const again = thrown instanceof ServiceFailure && looks < MAX_CANCEL_ATTEMPTS && (await waitBeforeRetry(run.budget, backoff(looks)));
      if (!again) throw thrown;
      const now = await bank.paymentsOf(orderId, run);
      status = now.find(({ bankPaymentId }) => bankPaymentId === held.bankPaymentId)?.status ?? status;
    }
  }
}

/** A customer seems to have started to pay a payment whose payment URL is lost. */
export class UnexpectedPaymentState extends ServiceFailure {
  constructor(status: string) {
    const cause = new Error(`the bank has a payment in status ${status}, but its payment URL is lost`);
    const message = "the bank has this order in a state that support must check";
    super({ kind: "upstream_failed", upstream: "bank", code: null, message }, { sideEffects: "unknown", cause });
  }
}
