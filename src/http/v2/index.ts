import { Hono } from "hono";
import type { AppEnv } from "../context.ts";
import { answerFailure, methodNotAllowed, operationFailure } from "../error-response.ts";
import { limitedFailure } from "../generation.ts";
import type { Operation } from "../operation.ts";
import { createBankCartPayment } from "./create-bank-cart-payment.ts";
import { createCartPaymentLink } from "./create-cart-payment-link.ts";
import { v2 } from "./generation.ts";
import { getPartnerPayment } from "./get-payment.ts";
import { listLivePaymentLinks } from "./list-live-payment-links.ts";
import { listPartnerTransactions } from "./list-transactions.ts";
import { registerNotificationsWebhook } from "./register-webhook.ts";
import { rotatePartnerWebhookSecret } from "./rotate-webhook-secret.ts";

/** All operations of the second generation. */
export const operations: readonly Operation[] = [
  listPartnerTransactions,
  getPartnerPayment,
  listLivePaymentLinks,
  createCartPaymentLink,
  createBankCartPayment,
  registerNotificationsWebhook,
  rotatePartnerWebhookSecret,
];

/** `POST /<operation>`. The HTTP status is always 200 (interface G.4). */
export function v2Routes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const { path, routes, name } of operations) {
    routes.onError((thrown, context) =>
      answerFailure(thrown, context, {
        answer: (error) => context.json(operationFailure(v2, error, context, name)),
        limited: (message) => limitedFailure(v2, message),
      }),
    );
    app.route("/", routes);
    app.all(path, methodNotAllowed("POST"));
  }
  return app;
}
