import { type Context, Hono } from "hono";
import { type ServiceError, toServiceError } from "../../core/errors.ts";
import type { AppEnv } from "../context.ts";
import type { Operation } from "../operation.ts";
import { logUnexpected, methodNotAllowed } from "../plain.ts";
import { cancelSubscription } from "./cancel-subscription.ts";
import { createPaymentLink } from "./create-payment-link.ts";
import { createPromotionCode } from "./create-promotion-code.ts";
import { toStatusFailure, toV1Failure } from "./errors.ts";
import { listProcessorObjects } from "./list-processor-objects.ts";
import type { StatusOperation } from "./status-operation.ts";

/** The first generation's creations, which answer HTTP 200 whatever becomes of them. */
export const creations: readonly Operation[] = [createPaymentLink, createPromotionCode];

/** Its two operations with real HTTP statuses. */
export const withStatuses: readonly StatusOperation[] = [listProcessorObjects, cancelSubscription];

/** `POST /webhook/<operation>`. */
export function v1Routes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const mount = (
    { path, routes }: Pick<Operation, "path" | "routes">,
    answer: (error: ServiceError, context: Context<AppEnv>) => Response,
  ) => {
    routes.onError((thrown, context) => {
      logUnexpected(thrown, context);
      return answer(toServiceError(thrown), context);
    });
    app.route("/", routes);
    app.all(path, methodNotAllowed("POST"));
  };
  for (const operation of creations) mount(operation, (error, context) => context.json(toV1Failure(error, context.get("requestId"))));
  for (const operation of withStatuses) {
    mount(operation, (error, context) => {
      const { status, body } = toStatusFailure(error, context.get("requestId"));
      return context.json(body, status);
    });
  }
  return app;
}
