import { Hono } from "hono";
import * as z from "zod";
import { body } from "../control-body.ts";
import type { ProcessorObject } from "../state.ts";
import type { World } from "../world.ts";
import { registerReceipt } from "./notifications.ts";
import { expireBankPayment, payBankPayment, paymentByOrder, refundBankPayment } from "./payments.ts";

const order = { order_id: z.string(), silent: z.boolean().default(false) };
const bankPaySchema = z.object({ ...order, outcome: z.enum(["confirmed", "rejected"]).default("confirmed") });
const bankReceiptSchema = z.object({ order_id: z.string(), type: z.enum(["Income", "IncomeReturn"]).default("Income") });
const bankRefundSchema = z.object({ ...order, amount: z.int().positive().optional() });

/** `/control/bank/…`: actions of customers and bank staff on bank payments. */
export function bankControl(world: World): Hono {
  const app = new Hono();
  app.post("/pay", body(bankPaySchema), async (context) => {
    const { order_id, outcome, ...how } = context.get("body");
    return context.json(asPaid(await payBankPayment(world, paymentByOrder(world, order_id), outcome, how)));
  });
  app.post("/refund", body(bankRefundSchema), async (context) => {
    const { order_id, ...how } = context.get("body");
    return context.json(asPaid(await refundBankPayment(world, paymentByOrder(world, order_id), how)));
  });
  app.post("/receipt", body(bankReceiptSchema), async (context) => {
    const { order_id, type } = context.get("body");
    const payment = paymentByOrder(world, order_id);
    return context.json(await registerReceipt(world, payment, type));
  });
  app.post("/expire", body(z.object({ order_id: z.string() })), (context) =>
    context.json(asPaid(expireBankPayment(paymentByOrder(world, context.get("body").order_id)))),
  );
  return app;
}

const asPaid = ({ id, order_id, status, amount }: ProcessorObject) => ({ payment_id: id, order_id, status, amount });
