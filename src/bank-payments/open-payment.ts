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

const abandonedSchema = z.object({ bankPaymentIds: z.array(z.string()) });

const STEP = "payment";
const MOST_TRIES = 4;
/** With less time than this left, in milliseconds, nothing new is begun at the bank. */
const LEAST_TIME = 2 * SECOND;

type OpeningRun = Pick<Run<unknown>, "recordId" | "partnerId" | "createdAt" | "deadline" | "resumed" | "failedAttempts" | "step" | "made">;

/**
 * Opens the payment of a plan at the bank, as the step of a run: one that can be paid, whatever is cut off. The bank
 * takes an order's id once, and each record has its own. Where nobody knows whether a call has opened one (no answer, a
 * run that was cut off, an attempt before), the bank is asked; a payment that it then shows has lost its address, which
 * the bank tells nobody twice. Nobody can have begun to pay it: it is cancelled, and noted, and the order goes on
 * under the next id.
 * @param rows of the payment, written together with it.
 * @throws ServiceFailure as the bank's.
 */
export async function openBankPayment(
  tools: { readonly db: Database; readonly clock: Clock },
  bank: Bank,
  run: OpeningRun,
  plan: BankCartPlan,
  orderOf: (orderId: string) => NewOrder,
  rows: (opened: OpenedBankPayment) => readonly Statement[],
): Promise<OpenedBankPayment> {
  const known = run.made(STEP, openedSchema);
  if (known !== undefined) return known;
  let mayExist = run.resumed || run.failedAttempts > 0;
  for (let number = 1, tries = 0; ; ) {
    const orderId = await orderIdOf(run, number);
    const isSpent = run.made(abandonedStep(number), abandonedSchema) !== undefined;
    if (isSpent || (mayExist && (await abandon(tools, bank, run, plan, orderId, number)))) {
      number += 1;
      continue;
    }
    mayExist = false;
    try {
      const open = async () => ({ paymentId: newNumericId(), orderId, ...(await bank.openPayment(orderOf(orderId), run)) });
      return await run.step(STEP, openedSchema, open, rows);
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure) || thrown.leaves !== "unknown") throw thrown;
      // The bank is asked before anything is said, also where no time is left for another try.
      if (await abandon(tools, bank, run, plan, orderId, number)) number += 1;
      tries += 1;
      const again = tries < MOST_TRIES && run.deadline.remaining() > LEAST_TIME && (await pausedInTime(run.deadline, backoff(tries)));
      if (!again) throw thrown;
    }
  }
}

/** 32 characters. A record that begins anew after a result stands for another request, and has other ids. */
async function orderIdOf({ recordId, createdAt }: OpeningRun, number: number): Promise<string> {
  return (await sha256Hex(canonicalJson([recordId, createdAt, number]))).slice(0, 32);
}

const abandonedStep = (number: number) => `abandoned_${number}`;

/** Takes back what the bank holds for an order, if it holds anything; gives whether it did. */
async function abandon(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  bank: Bank,
  run: OpeningRun,
  plan: BankCartPlan,
  orderId: string,
  number: number,
): Promise<boolean> {
  const held = await bank.paymentsOf(orderId, run);
  const [first] = held;
  if (first === undefined) return false;
  const now = clock.now();
  const { partnerId, recordId } = run;
  const { environment, terminal, externalOrderId, amount: amountKopecks } = plan;
  const about = { orderId, partnerId, environment, terminal, externalOrderId, amountKopecks, recordId };
  const { bankPaymentId, status } = first;
  const row = { ...about, id: newNumericId(), bankPaymentId, status, createdAt: now, updatedAt: now, lookAt: firstLookAt(now) };
  // Before it is cancelled, since the bank will tell of that at once.
  await writeTogether(db, [insertAbandonedPayment(db, row)]);
  const takeBack = async () => {
    for (const payment of held) await endUnpaid(bank, run, payment);
    return { bankPaymentIds: held.map((payment) => payment.bankPaymentId) };
  };
  await run.step(abandonedStep(number), abandonedSchema, takeBack, () => []);
  return true;
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
