import { Hono } from "hono";
import { dismissNotification, getBankPayment, listBankProblems, refreshOrderManually } from "../../bank-payments/admin.ts";
import { isoTime } from "../../core/clock.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { actorOf } from "./operator-auth.ts";

type Shown = NonNullable<Awaited<ReturnType<typeof getBankPayment>>>;
type Payment = NonNullable<Shown["payment"]>;
type Notification = Shown["notifications"][number];

/** `/ops/bank…`: bank notifications that match no payment, and one payment with all its notifications. */
export function bankRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/ops/bank", async (context) => {
    const { count, newest } = await listBankProblems(context.get("deps"));
    return context.json({ not_applied: { count, newest: newest.map(viewNotification) } });
  });
  app.all("/ops/bank", methodNotAllowed("GET, HEAD"));

  app.get("/ops/bank/orders/:order", async (context) => {
    const shown = await getBankPayment(context.get("deps"), context.req.param("order"));
    if (shown === null) return plainError(context, 404, "There is no such order, and no bank notification for it.");
    const { payment, notifications } = shown;
    return context.json({ payment: payment && viewPayment(payment), notifications: notifications.map(viewNotification) });
  });
  app.all("/ops/bank/orders/:order", methodNotAllowed("GET, HEAD"));

  app.post("/ops/bank/orders/:order/refresh", async (context) => {
    const order = context.req.param("order");
    const refreshed = await refreshOrderManually(context.get("deps"), order, actorOf(context));
    if (refreshed === null) return plainError(context, 404, "There is no such order.");
    const shown = await getBankPayment(context.get("deps"), order);
    const payment = shown?.payment ? viewPayment(shown.payment) : null;
    return context.json({ success: refreshed.problem === null, bank_status: refreshed.status, problem: refreshed.problem, payment });
  });
  app.all("/ops/bank/orders/:order/refresh", methodNotAllowed("POST"));

  app.post("/ops/bank/notifications/:id/dismiss", async (context) => {
    const id = context.req.param("id");
    const isClosed = await dismissNotification(context.get("deps"), id, actorOf(context));
    return isClosed
      ? context.json({ success: true, notification: id })
      : plainError(context, 404, "There is no open notification with this id.");
  });
  app.all("/ops/bank/notifications/:id/dismiss", methodNotAllowed("POST"));
  return app;
}

/** Omits the payment's URLs: anyone who has them can pay, and operators do not need them. */
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
