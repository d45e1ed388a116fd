import { type Context, Hono } from "hono";
import type { OperationError } from "../../core/errors.ts";
import type { AppEnv } from "../context.ts";
import { answerFailure, methodNotAllowed, namingSupport, operationFailure } from "../error-response.ts";
import { limitedFailure } from "../generation.ts";
import type { Operation } from "../operation.ts";
import { noteRefusal } from "../refused-requests.ts";
import { cancelSubscription } from "./cancel-subscription.ts";
import { createPaymentLink } from "./create-payment-link.ts";
import { createPromotionCode } from "./create-promotion-code.ts";
import { toStatusFailure } from "./errors.ts";
import { v1 } from "./generation.ts";
import { listProcessorObjects } from "./list-processor-objects.ts";
import type { StatusOperation } from "./status-operation.ts";

/** The first generation's creations, which always answer HTTP 200. */
export const creations: readonly Operation[] = [createPaymentLink, createPromotionCode];

/** The first generation's two operations with real HTTP statuses. */
export const withStatuses: readonly StatusOperation[] = [listProcessorObjects, cancelSubscription];

/** `POST /webhook/<operation>`. */
export function v1Routes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const mount = (
    { path, routes }: Pick<Operation, "path" | "routes">,
    answer: (error: OperationError, context: Context<AppEnv>) => Response,
    limited: (message: string) => object,
  ) => {
    routes.onError((thrown, context) => answerFailure(thrown, context, { answer: (error) => answer(error, context), limited }));
    app.route("/", routes);
    app.all(path, methodNotAllowed("POST"));
  };
  for (const operation of creations) {
    const inEnvelope = (error: OperationError, context: Context<AppEnv>) =>
      context.json(operationFailure(v1, error, context, operation.name));
    mount(operation, inEnvelope, (message) => limitedFailure(v1, message));
  }
  for (const operation of withStatuses) {
    mount(operation, byStatusOf(operation), (error) => ({ success: false, error }));
  }
  return app;
}

function byStatusOf({ name }: StatusOperation) {
  return (error: OperationError, context: Context<AppEnv>): Response => {
    const { status, body: said } = toStatusFailure(error, context.get("requestId"));
    const body = { ...said, error: namingSupport(context.get("deps").settings, said.error) };
    const field = "field" in error ? (error.field ?? null) : null;
    noteRefusal(context, { operation: name, code: v1.codeOf(error.kind), message: body.error, field });
    return context.json(body, status);
  };
}
