import type Stripe from "stripe";
import { z } from "zod";
import type { Deadline } from "../core/deadline.ts";
import { toBalanceTransaction, transactionBehind } from "./balance-transactions.ts";
import { askUntil, unlessRefused } from "./calls.ts";
import { retrieveCharge } from "./charges.ts";
import type { PaymentFacts, PaymentSource, RefundFacts } from "./facts.ts";
import { idOf, toObject } from "./objects.ts";

/** {@link Processor.retrievePayment} */
export async function retrievePayment(stripe: Stripe, source: PaymentSource, { deadline }: { deadline: Deadline }): Promise<PaymentFacts> {
  const ask = askUntil(deadline);
  return lookAt(source);

  async function lookAt({ kind, id }: PaymentSource): Promise<PaymentFacts> {
    switch (kind) {
      case "charge":
        return around(id, null);
      case "payment_intent": {
        const intent = await ask((options) => stripe.paymentIntents.retrieve(id, {}, options));
        return around(idOf(intent.latest_charge), id);
      }
      case "refund":
        return lookAtRefund(id);
      case "dispute":
        return lookAtDispute(id);
      case "balance_transaction":
        return lookAtTransaction(id);
    }
  }

  /** A payment that was never charged, and a refund of something else, stand alone. */
  async function around(chargeId: string | null, paymentIntentId: string | null): Promise<PaymentFacts> {
    return chargeId === null ? { ...NOTHING, paymentIntentId } : { ...NOTHING, ...(await retrieveCharge(stripe, ask, chargeId)) };
  }

  async function lookAtRefund(id: string): Promise<PaymentFacts> {
    const expand = ["balance_transaction", "failure_balance_transaction"];
    const refund = await ask((options) => stripe.refunds.retrieve(id, { expand }, options));
    const transaction = await transactionBehind(stripe, ask, refund.balance_transaction);
    const failure = await transactionBehind(stripe, ask, refund.failure_balance_transaction ?? null);
    const facts = {
      ...(await around(idOf(refund.charge), idOf(refund.payment_intent))),
      refund: {
        id: refund.id,
        status: refundStatus(refund.status),
        transaction: transaction && toBalanceTransaction(transaction),
        failureTransaction: failure && toBalanceTransaction(failure),
      },
    };
    const byId = { balance_transaction: transaction?.id ?? null, failure_balance_transaction: failure?.id ?? null };
    return withObjects(facts, [{ ...refund, ...byId }, transaction, failure]);
  }

  async function lookAtDispute(id: string): Promise<PaymentFacts> {
    const dispute = await ask((options) => stripe.disputes.retrieve(id, {}, options));
    const verdict = verdictSchema.safeParse(dispute.status);
    const facts = {
      ...(await around(idOf(dispute.charge), idOf(dispute.payment_intent))),
      dispute: {
        id: dispute.id,
        verdict: verdict.success ? verdict.data : null,
        transactions: dispute.balance_transactions.map(toBalanceTransaction),
      },
    };
    return withObjects(facts, [dispute, ...dispute.balance_transactions]);
  }

  async function lookAtTransaction(transactionId: string): Promise<PaymentFacts> {
    const transaction = await ask((options) => stripe.balanceTransactions.retrieve(transactionId, { expand: ["source"] }, options));
    const origin = typeof transaction.source === "string" ? null : transaction.source;
    const kind = origin === null ? null : kindOf(origin.object);
    const id = kind === null ? null : idOf(transaction.source);
    // What belongs to nothing that we may see is money all the same, and is kept for a person to look at.
    const facts = kind === null || id === null ? null : await unlessRefused(lookAt({ kind, id }));
    const stored = { ...transaction, source: idOf(transaction.source) };
    return withObjects({ ...(facts ?? NOTHING), transaction: toBalanceTransaction(transaction) }, [stored]);
  }
}

/** The statuses that end a dispute; there are more that do not, and new ones come. */
const verdictSchema = z.enum(["won", "lost"]);

const NOTHING: PaymentFacts = {
  charge: null,
  refund: null,
  dispute: null,
  transaction: null,
  paymentIntentId: null,
  metadata: {},
  paymentLinkId: null,
  subscriptionId: null,
  subscription: null,
  clientReferenceId: null,
  objects: [],
};

function withObjects(facts: PaymentFacts, objects: readonly ({ id: string; object: string } | null)[]): PaymentFacts {
  return { ...facts, objects: [...facts.objects, ...objects.flatMap((object) => (object === null ? [] : [toObject(object)]))] };
}

/** What a payment is made of, among all that can move money. */
function kindOf(object: string): "charge" | "refund" | "dispute" | null {
  return object === "charge" || object === "refund" || object === "dispute" ? object : null;
}

/** A refund that waits for the bank, or for the customer, is pending; a canceled one never reaches the customer. */
function refundStatus(status: string | null): RefundFacts["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}
