import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { isoTime } from "../../core/clock.ts";
import { sha256Hex } from "../../core/digest.ts";
import { rejectInput, toServiceError } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import { lookAgain, overseeLedger, retryParkedEvent } from "../../ledger/oversight.ts";
import { limitBody, requireJsonObject } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { checkShape } from "../operation.ts";
import { logUnexpected, methodNotAllowed, plainError } from "../plain.ts";

const lookSchema = z.object({
  environment: z.enum(["live", "test"], "must be live or test"),
  id: z.string("must be an id of the processor's").max(255, "must be at most 255 characters"),
});

/** `/ops/…`: for operators alone, by the bearer token that stands in the Worker's secrets. Real HTTP statuses. */
export function opsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use("/ops/*", requireOperator);
  app.onError(answerFailure);

  app.get("/ops/ledger", async (context) => context.json(view(await overseeLedger(context.get("tools")))));
  app.all("/ops/ledger", methodNotAllowed("GET, HEAD"));

  app.post("/ops/ledger/look", limitBody, requireJsonObject, checkShape(lookSchema), async (context) => {
    const { environment, id } = context.req.valid("json");
    const looked = await lookAgain(context.get("tools"), environment, id, actorOf(context));
    if (looked === null) rejectInput("id: must be a ch_, py_, pi_, re_, pyr_, du_, dp_, txn_ or sub_ id", "id");
    return context.json({ success: true, found: looked.map((one) => ({ id: one.id, partner_id: one.partnerId })) });
  });
  app.all("/ops/ledger/look", methodNotAllowed("POST"));

  app.post("/ops/ledger/events/:id/retry", async (context) => {
    const id = context.req.param("id");
    const isRetried = await retryParkedEvent(context.get("tools"), id, actorOf(context));
    return isRetried ? context.json({ success: true, event: id }) : plainError(context, 404, "There is no parked event of that id.");
  });
  app.all("/ops/ledger/events/:id/retry", methodNotAllowed("POST"));
  return app;
}

/** Compared by digests of equal length, so that the time it takes says nothing of the token. */
const requireOperator = createMiddleware<AppEnv>(async (context, next) => {
  const given = /^Bearer (.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1] ?? "";
  const [left, right] = await Promise.all([given, context.get("tools").settings.opsToken].map(sha256Hex));
  const encoder = new TextEncoder();
  if (!crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right))) {
    context.header("WWW-Authenticate", "Bearer");
    return plainError(context, 401, "Send the operators' token: Authorization: Bearer <OPS_TOKEN>.");
  }
  return next();
});

/** Who did it, for the audit log: operators share one token, so a name is taken at its word. Percent-encoded on the wire. */
function actorOf(context: Context<AppEnv>): string {
  const header = context.req.header("X-Operator") ?? "";
  if (header === "") return "operator";
  const name = decoded(header);
  if (!/^[\p{L}\p{N}.@ _-]{1,64}$/u.test(name)) rejectInput("X-Operator: must be a name of at most 64 characters, percent-encoded");
  return name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** What went wrong, with a real status: an operator is to know what the processor said. */
function answerFailure(thrown: Error, context: Context<AppEnv>): Response {
  logUnexpected(thrown, context);
  const error = toServiceError(thrown);
  if (error.kind === "invalid_input") return plainError(context, 400, error.message);
  if (error.kind === "upstream_failed") return plainError(context, error.code === null ? 502 : 404, `The processor says: ${error.message}`);
  if (error.kind === "upstream_timeout") return plainError(context, 502, "The processor did not answer in time. Try again.");
  return plainError(context, 500, "Something failed on our side.");
}

function view({ unattributed, parked, sweeps }: Awaited<ReturnType<typeof overseeLedger>>) {
  return {
    unattributed: {
      count: unattributed.count,
      newest: unattributed.newest.map((movement) => ({
        id: movement.id,
        environment: movement.environment,
        amount: toMajorUnits(movement.amount, movement.currency),
        currency: movement.currency,
        type: movement.type,
        status: movement.status,
        transaction_date: isoTime(movement.transactionDate),
        payment_intent_id: movement.paymentIntentId,
        source_id: movement.sourceId,
        subscription_id: movement.subscriptionId,
      })),
    },
    parked_events: {
      count: parked.count,
      newest: parked.newest.map((event) => ({
        id: event.id,
        type: event.type,
        environment: event.environment,
        object_id: event.objectId,
        attempts: event.attempts,
        last_error: event.lastError,
        received_at: isoTime(event.receivedAt),
      })),
    },
    sweeps: sweeps.map(({ name, cursor, found, updatedAt }) => ({
      name,
      compared_up_to: isoTime(cursor),
      found_so_far: found,
      last_run_at: isoTime(updatedAt),
    })),
  };
}
