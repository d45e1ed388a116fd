import { Hono } from "hono";
import { dismissNotification, lookAtOrder, overseeBank, showBankPayment } from "../../bank-payments/oversight.ts";
import { isoTime } from "../../core/clock.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../plain.ts";
import { actorOf } from "./door.ts";

type Shown = NonNullable<Awaited<ReturnType<typeof showBankPayment>>>;
type Payment = NonNullable<Shown["payment"]>;
type Notification = Shown["notifications"][number];

/** `/ops/bank…`: what the bank told that fits no payment, and one payment with all that the bank told of it. */
export function bankRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/ops/bank", async (context) => {
    const { count, newest } = await overseeBank(context.get("tools"));
    return context.json({ not_followed: { count, newest: newest.map(viewNotification) } });
  });
  app.all("/ops/bank", methodNotAllowed("GET, HEAD"));

  app.get("/ops/bank/orders/:order", async (context) => {
    const shown = await showBankPayment(context.get("tools"), context.req.param("order"));
    if (shown === null) return plainError(context, 404, "There is no such order, and the bank told of none.");
    const { payment, notifications } = shown;
    return context.json({ payment: payment && viewPayment(payment), notifications: notifications.map(viewNotification) });
  });
  app.all("/ops/bank/orders/:order", methodNotAllowed("GET, HEAD"));

  app.post("/ops/bank/orders/:order/look", async (context) => {
    const order = context.req.param("order");
    const looked = await lookAtOrder(context.get("tools"), order, actorOf(context));
    if (looked === null) return plainError(context, 404, "There is no such order.");
    const shown = await showBankPayment(context.get("tools"), order);
    const payment = shown?.payment ? viewPayment(shown.payment) : null;
    return context.json({ success: looked.problem === null, bank_says: looked.status, problem: looked.problem, payment });
  });
  app.all("/ops/bank/orders/:order/look", methodNotAllowed("POST"));

  app.post("/ops/bank/notifications/:id/dismiss", async (context) => {
    const id = context.req.param("id");
    const isClosed = await dismissNotification(context.get("tools"), id, actorOf(context));
    return isClosed ? context.json({ success: true, notification: id }) : plainError(context, 404, "Nothing of that id waits for anybody.");
  });
  app.all("/ops/bank/notifications/:id/dismiss", methodNotAllowed("POST"));
  return app;
}

/** Without the addresses of the payment: whoever has them can pay, and nobody here needs to. */
function viewPayment(payment: Payment) {
  return {
    payment_id: payment.id,
    order_id: payment.orderId,
    bank_payment_id: payment.bankPaymentId,
    partner_id: payment.partnerId,
    environment: payment.environment,
    terminal: payment.terminal,
    external_order_id: payment.externalOrderId,
    status: payment.status,
    amount_rub: toMajorUnits(payment.amountKopecks, "RUB"),
    amount_kopecks: payment.amountKopecks,
    created_at: isoTime(payment.createdAt),
    updated_at: isoTime(payment.updatedAt),
    paid_at: payment.paidAt === null ? null : isoTime(payment.paidAt),
  };
}

function viewNotification(notification: Notification) {
  return {
    id: notification.id,
    received_at: isoTime(notification.receivedAt),
    environment: notification.environment,
    terminal: notification.terminal,
    order_id: notification.orderId,
    status: notification.status,
    problem: notification.problem,
    message: parseJson(jsonObjectSchema, notification.payload),
  };
}
