import * as z from "zod";
import type { NewOrder } from "../bank/port.ts";
import { SECOND } from "../core/clock.ts";
import { orUnknown, ServiceFailure } from "../core/errors.ts";
import { newNumericId } from "../core/ids.ts";
import { backoff, waitBeforeRetry } from "../core/retry.ts";
import type { Write } from "../db/prepared.ts";
import { compensateEarlierRuns, compensateOpening, type OpeningContext, UnexpectedPaymentState } from "./compensate.ts";
import { currentOrderIdNumber, type OpeningRunContext, orderIdOf } from "./order-id.ts";

const openedSchema = z.object({ paymentId: z.int(), orderId: z.string(), bankPaymentId: z.string(), paymentUrl: z.string() });

/** A payment opened at the bank; `paymentId` is our own id for it. */
export type OpenedBankPayment = z.infer<typeof openedSchema>;

const STEP = "payment";
const MAX_TRIES = 4;
/** With less time left, in milliseconds, no payment is opened: the bank may have to be queried for the outcome. */
const MIN_TIME_TO_OPEN = 8 * SECOND;

/**
 * Opens a plan's payment at the bank, as a step of a run. Only one payable payment remains, even after interruptions.
 * The bank should accept an order id only once, and each record has its own ids. If the outcome of a call is unknown
 * (no response, an interrupted run, an earlier attempt), the bank is queried. The bank returns a payment URL only once,
 * so the URL of a payment found this way is lost. No customer can have started to pay it: it is cancelled, and the
 * order continues with its next id.
 * @param orderOf builds the order for an order id.
 * @param rows the payment's rows, written in the transaction of the step.
 * @throws ServiceFailure from the bank.
 */
export async function openBankPayment(
  opening: OpeningContext,
  orderOf: (orderId: string) => NewOrder,
  rows: (opened: OpenedBankPayment) => readonly Write[],
): Promise<OpenedBankPayment> {
  const { bank, run } = opening;
  const known = run.stepOutput(STEP, openedSchema);
  if (known !== undefined) return known;
  if (run.resumed || run.failedAttempts > 0) await orUnknown(() => compensateEarlierRuns(opening));
  for (let tries = 1; ; tries += 1) {
    if (run.budget.remaining() < MIN_TIME_TO_OPEN)
      throw new ServiceFailure({ kind: "upstream_timeout", upstream: "bank" }, { sideEffects: "unknown" });
    const orderId = await orderIdOf(run, currentOrderIdNumber(run));
    try {
      const open = async () => ({ paymentId: newNumericId(), orderId, ...(await bank.openPayment(orderOf(orderId), run)) });
      return await run.step(STEP, openedSchema, open, rows);
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      if (thrown.sideEffects !== "unknown") throw failureAfterCompensation(run, thrown);
      // Query the bank and compensate before the failure is returned, even if no time is left for another attempt.
      await compensateAfterFailure(thrown, opening);
      const again = tries < MAX_TRIES && run.budget.remaining() > MIN_TIME_TO_OPEN && (await waitBeforeRetry(run.budget, backoff(tries)));
      if (!again) throw thrown;
    }
  }
}

/** Compensates a failed call. If that fails too, throws the call's own failure, unless the new error says more. */
async function compensateAfterFailure(failure: ServiceFailure, opening: OpeningContext): Promise<void> {
  try {
    await compensateOpening(opening);
  } catch (thrown) {
    const saysMore = !(thrown instanceof ServiceFailure) || thrown instanceof UnexpectedPaymentState;
    throw saysMore ? thrown : failure;
  }
}

/**
 * The failure after a permanent refusal. Payments opened before it have been cancelled, so the next request starts over
 * with the catalogue of that time.
 */
function failureAfterCompensation(run: OpeningRunContext, refused: ServiceFailure): ServiceFailure {
  return currentOrderIdNumber(run) === 1
    ? refused
    : new ServiceFailure(refused.error, { sideEffects: "compensated", cause: refused.cause });
}
