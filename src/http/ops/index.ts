import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { isoTime } from "../../core/clock.ts";
import { sha256Hex } from "../../core/digest.ts";
import { toMajorUnits } from "../../core/money.ts";
import { lookAgain, overseeLedger, retryParkedEvent } from "../../ledger/oversight.ts";
import { limitBody, requireJsonObject } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../plain.ts";

const lookSchema = z.object({ environment: z.enum(["live", "test"]), id: z.string().max(255) });
/** Who did it, for the audit log: operators share one token, so a name is taken at its word. */
const actorSchema = z.string().regex(/^[\w.@ -]{1,64}$/);

/** `/ops/…`: for operators alone, by the bearer token that stands in the Worker's secrets. Real HTTP statuses. */
export function opsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use("/ops/*", requireOperator);

  app.get("/ops/ledger", async (context) => context.json(view(await overseeLedger(context.get("tools")))));
  app.all("/ops/ledger", methodNotAllowed("GET, HEAD"));

  app.post("/ops/ledger/look", limitBody, requireJsonObject, async (context) => {
    const body = lookSchema.safeParse(await context.req.json());
    const event = body.success
      ? await lookAgain(context.get("tools"), body.data.environment, body.data.id, actorOf(context.req.header("X-Operator")))
      : null;
    if (event === null)
      return plainError(context, 400, 'Give {"environment": "live" or "test", "id": "ch_…, pi_…, re_…, du_…, txn_… or sub_…"}.');
    return context.json({ success: true, event });
  });
  app.all("/ops/ledger/look", methodNotAllowed("POST"));

  app.post("/ops/ledger/events/:id/retry", async (context) => {
    const id = context.req.param("id");
    const isRetried = await retryParkedEvent(context.get("tools"), id, actorOf(context.req.header("X-Operator")));
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

function actorOf(header: string | undefined): string {
  const actor = actorSchema.safeParse(header);
  return actor.success ? actor.data : "operator";
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
