import { parseJson } from "../core/json.ts";
import type { Cell, Statement } from "../db/client.ts";
import { storedItems } from "../orders/items.ts";
import { upsertOrder } from "../orders/store.ts";
import { bankCartPlanSchema } from "./bank-cart.ts";
import { sumsOfBankOrder } from "./money.ts";
import { stageOf } from "./status.ts";
import type { NewBankPayment } from "./store.ts";

const linesSchema = bankCartPlanSchema.shape.lines;

/**
 * The rows of a ruble payment's order, in a status. `email`: the buyer's, which is known when the payment is opened alone; null
 * keeps the known one.
 */
export function bankOrderRows(db: Cell, payment: NewBankPayment, status: string, email: string | null, now: number): Statement[] {
  const lines = parseJson(linesSchema, payment.items);
  return upsertOrder(
    db,
    {
      id: payment.orderId,
      partnerId: payment.partnerId,
      environment: payment.environment,
      createdAt: payment.createdAt,
      unpaid: unpaidOf(status),
      clientReferenceId: payment.externalOrderId ?? null,
      paymentLinkId: null,
      subscriptionId: null,
      method: null,
      methodLabel: null,
      email,
      customerName: null,
      items: storedItems(lines.map(({ productId, productName: name, ...line }) => ({ ...line, productId: String(productId), name }))),
      promotionCode: null,
      promotionCodeId: null,
      discount: 0,
      currency: "RUB",
      updatedAt: now,
    },
    sumsOfBankOrder(payment.orderId),
  );
}

/**
 * What an order without money is in a status of the bank. After a refused card, the customer may pay with another one. One that was
 * wholly refunded before it was seen as paid moved nothing, and is over.
 */
function unpaidOf(status: string): "pending" | "failed" | "expired" {
  const stage = stageOf(status);
  if (stage === "rejected") return "failed";
  return stage === "over" || stage === "refunded" ? "expired" : "pending";
}
