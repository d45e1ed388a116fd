import { z } from "zod";
import type { Bank, BankPaymentState, NewOrder } from "../bank/port.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { sha256Hex } from "../core/digest.ts";
import { ServiceFailure } from "../core/errors.ts";
import { newNumericId } from "../core/ids.ts";
import { canonicalJson } from "../core/json.ts";
import { backoff, pausedInTime } from "../core/retry.ts";
import { type Database, type Statement, writeTogether } from "../db/client.ts";
import type { Run } from "../idempotency/work.ts";
import type { BankCartPlan } from "./bank-cart.ts";
import { firstLookAt } from "./looks.ts";
import { stageOf } from "./status.ts";
import { insertAbandonedPayment } from "./store.ts";

const openedSchema = z.object({ paymentId: z.int(), orderId: z.string(), bankPaymentId: z.string(), paymentUrl: z.string() });

/** A payment as the bank opened it; `paymentId` is our own name for it. */
export type OpenedBankPayment = z.infer<typeof openedSchema>;

const takenBackSchema = z.object({ bankPaymentIds: z.array(z.string()) });

const STEP = "payment";
const MOST_TRIES = 4;
/** With less time than this left, in milliseconds, nothing new is opened: what comes of it must still be asked for. */
const LEAST_TIME = 8 * SECOND;

type OpeningRun = Pick<Run<unknown>, "recordId" | "partnerId" | "createdAt" | "deadline" | "resumed" | "failedAttempts" | "step" | "made">;

interface Opening {
  readonly tools: { readonly db: Database; readonly clock: Clock };
  readonly bank: Bank;
  readonly run: OpeningRun;
  readonly plan: BankCartPlan;
}

/**
 * Opens the payment of a plan at the bank, as the step of a run: one that can be paid, whatever is cut off. The bank
 * takes an order's id once, and each record has its own. Where nobody knows whether a call has opened one (no answer, a
 * run that was cut off, an attempt before), the bank is asked; a payment that it then shows has lost its address, which
 * the bank tells nobody twice. Nobody can have begun to pay it: it is cancelled, and noted, and the order goes on
 * under the next id.
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
  if (run.resumed || run.failedAttempts > 0) await takeBack(opening);
  for (let tries = 1; ; tries += 1) {
    const orderId = await orderIdOf(run);
    try {
      const open = async () => ({ paymentId: newNumericId(), orderId, ...(await bank.openPayment(orderOf(orderId), run)) });
      return await run.step(STEP, openedSchema, open, rows);
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure) || thrown.leaves !== "unknown") throw thrown;
      // The bank is asked before anything is said, also where no time is left for another try.
      await takeBack(opening);
      const again = tries < MOST_TRIES && run.deadline.remaining() > LEAST_TIME && (await pausedInTime(run.deadline, backoff(tries)));
      if (!again) throw thrown;
    }
  }
}

/**
 * The id that the order goes by now, 32 characters: another after each that was taken back, and others for a record that
 * begins anew after a result, since it then stands for another request.
 */
async function orderIdOf(run: OpeningRun): Promise<string> {
  return (await sha256Hex(canonicalJson([run.recordId, run.createdAt, numberOf(run)]))).slice(0, 32);
}

/** One more than were taken back. */
function numberOf(run: OpeningRun): number {
  let number = 1;
  while (run.made(takenBack(number), takenBackSchema) !== undefined) number += 1;
  return number;
}

const takenBack = (number: number) => `taken_back_${number}`;

/** Ends what the bank holds for the order's present id, if it holds anything. */
async function takeBack({ tools, bank, run, plan }: Opening): Promise<void> {
  const orderId = await orderIdOf(run);
  const held = await bank.paymentsOf(orderId, run);
  const [first] = held;
  if (first === undefined) return;
  const now = tools.clock.now();
  const { bankPaymentId, status } = first;
  const { environment, terminal, externalOrderId, amount: amountKopecks } = plan;
  const about = { orderId, partnerId: run.partnerId, environment, terminal, externalOrderId, amountKopecks, recordId: run.recordId };
  const row = { ...about, id: newNumericId(), bankPaymentId, status, createdAt: now, updatedAt: now, lookAt: firstLookAt(now) };
  // Before it is cancelled, since the bank will tell of that at once.
  await writeTogether(tools.db, [insertAbandonedPayment(tools.db, row)]);
  const end = async () => {
    for (const payment of held) await endUnpaid(bank, run, payment);
    return { bankPaymentIds: held.map((payment) => payment.bankPaymentId) };
  };
  await run.step(takenBack(numberOf(run)), takenBackSchema, end, () => []);
}

/** Only what nobody has begun to pay: to cancel any other would move money. */
async function endUnpaid(bank: Bank, run: OpeningRun, { bankPaymentId, status }: BankPaymentState): Promise<void> {
  if (status === "NEW") return bank.cancelPayment(bankPaymentId, run);
  const stage = stageOf(status);
  if (stage === "over" || stage === "rejected") return;
  const cause = new Error(`the bank holds a payment of this order as ${status}, and nobody knows its address`);
  throw new ServiceFailure(
    {
      kind: "upstream_failed",
      upstream: "bank",
      code: null,
      message: "the bank holds this order in a state that support has to look into",
    },
    { leaves: "unknown", cause },
  );
}
