import { Hono } from "hono";
import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import { ledgerStatus, refreshObject, retryParked } from "../../ledger/admin.ts";
import { knownIdPrefixes } from "../../ledger/sources.ts";
import { limitBody, requireJsonObject } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { checkShape } from "../operation.ts";
import { actorOf } from "./operator-auth.ts";

const refreshSchema = z.object({
  environment: environmentSchema,
  id: z.string("must be an id of the processor's").max(255, "must be at most 255 characters"),
});

/** `/ops/ledger…`: ledger entries and events that need manual action. */
export function ledgerRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/ops/ledger", async (context) => context.json(view(await ledgerStatus(context.get("deps")))));
  app.all("/ops/ledger", methodNotAllowed("GET, HEAD"));

  app.post("/ops/ledger/refresh", limitBody, requireJsonObject, checkShape(refreshSchema), async (context) => {
    const { environment, id } = context.req.valid("json");
    const refreshed = await refreshObject(context.get("deps").inDirectory(), environment, id, actorOf(context));
    if (refreshed === null) rejectInput(`id: must be an id that begins with ${knownIdPrefixes().join(", ")}`, "id");
    return context.json({ success: true, found: refreshed.map((one) => ({ id: one.id, partner_id: one.partnerId })) });
  });
  app.all("/ops/ledger/refresh", methodNotAllowed("POST"));

  app.post("/ops/ledger/parked/:id/retry", async (context) => {
    const id = context.req.param("id");
    const isRetried = await retryParked(context.get("deps"), id, actorOf(context));
    return isRetried ? context.json({ success: true, id }) : plainError(context, 404, "Nothing of that id is parked.");
  });
  app.all("/ops/ledger/parked/:id/retry", methodNotAllowed("POST"));
  return app;
}

function view({ unattributed, parked, reconciliations }: Awaited<ReturnType<typeof ledgerStatus>>) {
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
    parked: {
      count: parked.count,
      newest: parked.newest.map((refresh) => ({
        id: refresh.subject,
        environment: refresh.environment,
        attempts: refresh.attempts,
        last_error: refresh.lastError,
        since: isoTime(refresh.since),
      })),
    },
    reconciliations: reconciliations.map(({ name, comparedUntil, missingCount, updatedAt }) => ({
      name,
      compared_until: isoTime(comparedUntil),
      missing_count: missingCount,
      last_run_at: isoTime(updatedAt),
    })),
  };
}
