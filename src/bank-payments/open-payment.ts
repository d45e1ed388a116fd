import { z } from "zod";
import type { NewOrder } from "../bank/port.ts";
import { SECOND } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { newNumericId } from "../core/ids.ts";
import { backoff, pausedInTime } from "../core/retry.ts";
import type { Statement } from "../db/client.ts";
import { numberOf, type OpeningRun, orderIdOf } from "./order-id.ts";
import { type Opening, takeBack, takeBackEarlier, UnexpectedState } from "./take-back.ts";

const openedSchema = z.object({ paymentId: z.int(), orderId: z.string(), bankPaymentId: z.string(), paymentUrl: z.string() });

/** A payment as the bank opened it; `paymentId` is our own name for it. */
export type OpenedBankPayment = z.infer<typeof openedSchema>;

const STEP = "payment";
const MOST_TRIES = 4;
/** With less time than this left, in milliseconds, nothing is opened: what comes of it must still be asked for. */
const LEAST_TIME = 8 * SECOND;

/**
 * Opens the payment of a plan at the bank, as the step of a run: one that can be paid, whatever is cut off. The bank is
 * to take an order's id once, and each record has its own. Where nobody knows whether a call has opened one (no answer, a
 * run that was cut off, an attempt before), the bank is asked; a payment that it then shows has lost its address, which
 * the bank tells nobody twice. Nobody can have begun to pay it: it is taken back, and the order goes on under the next id.
 * @param orderOf the order under an id.
 * @param rows of the payment, written together with it.
 * @throws ServiceFailure as the bank's.
 */
export async function openBankPayment(
  opening: Opening,
  orderOf: (orderId: string) => NewOrder,
  rows: (opened: OpenedBankPayment) => readonly Statement[],
): Promise<OpenedBankPayment> {
  const { bank, run } = opening;
  const known = run.made(STEP, openedSchema);
  if (known !== undefined) return known;
  if (run.resumed || run.failedAttempts > 0) await takeBackEarlier(opening);
  for (let tries = 1; ; tries += 1) {
    if (run.deadline.remaining() < LEAST_TIME)
      throw new ServiceFailure({ kind: "upstream_timeout", upstream: "bank" }, { leaves: "unknown" });
    const orderId = await orderIdOf(run, numberOf(run));
    try {
      const open = async () => ({ paymentId: newNumericId(), orderId, ...(await bank.openPayment(orderOf(orderId), run)) });
      return await run.step(STEP, openedSchema, open, rows);
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      if (thrown.leaves !== "unknown") throw afterTakingBack(run, thrown);
      // The bank is asked before anything is said, also where no time is left for another try.
      await takeBackAfter(thrown, opening);
      const again = tries < MOST_TRIES && run.deadline.remaining() > LEAST_TIME && (await pausedInTime(run.deadline, backoff(tries)));
      if (!again) throw thrown;
    }
  }
}

/** What came of a failed call; where that cannot be found out, the failure itself is what there is to say. */
async function takeBackAfter(failure: ServiceFailure, opening: Opening): Promise<void> {
  try {
    await takeBack(opening);
  } catch (thrown) {
    const saysMore = !(thrown instanceof ServiceFailure) || thrown instanceof UnexpectedState;
    throw saysMore ? thrown : failure;
  }
}

/**
 * A refusal for good. What was opened before it has been taken back, so the next request begins anew, by the catalogue as
 * it is then.
 */
function afterTakingBack(run: OpeningRun, refused: ServiceFailure): ServiceFailure {
  return numberOf(run) === 1 ? refused : new ServiceFailure(refused.error, { leaves: "undone", cause: refused.cause });
}
