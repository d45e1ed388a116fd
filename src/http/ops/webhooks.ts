import { type Context, Hono } from "hono";
import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { rejectInput } from "../../core/errors.ts";
import { partnerOfEndpoint } from "../../core/ids.ts";
import { parseTimestamp } from "../../core/iso-timestamp.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import type { CellDeps } from "../../deps.ts";
import {
  type DeliveryFilter,
  getDelivery,
  listDeliveries,
  listEndpoints,
  listUnhealthyEndpoints,
  resume,
  sendExhausted,
  suspend,
} from "../../webhooks/admin/admin.ts";
import { reEncryptSecrets } from "../../webhooks/admin/re-encrypt-secrets.ts";
import { type ResendResult, resendEvent } from "../../webhooks/admin/resend.ts";
import { deliveryStates } from "../../webhooks/endpoints/delivery-state.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { actorOf } from "./operator-auth.ts";
import { viewAttempt, viewDelivery, viewEndpoint } from "./webhook-views.ts";

const stateSchema = z.enum(deliveryStates);

/** `/ops/endpoints…` and `/ops/deliveries…`: the state of webhook endpoints and of event deliveries. */
export function notificationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/ops/endpoints", async (context) => {
    const partnerId = context.req.query("partner");
    const cell = partnerId === undefined ? null : await cellOfPartner(context, partnerId);
    if (partnerId !== undefined && cell === null) return plainError(context, 404, "There is no such partner.");
    const found = cell === null ? await listUnhealthyEndpoints(context.get("deps")) : await listEndpoints(cell, partnerId);
    return context.json({ endpoints: found.map((endpoint) => viewEndpoint(endpoint, nowIn(context))) });
  });
  app.all("/ops/endpoints", methodNotAllowed("GET, HEAD"));

  app.post("/ops/endpoints/:id/suspend", async (context) => {
    const id = context.req.param("id");
    const cell = await cellOfEndpoint(context, id);
    return answer(context, cell === null ? undefined : await suspend(cell, id, actorOf(context)));
  });
  app.all("/ops/endpoints/:id/suspend", methodNotAllowed("POST"));
  app.post("/ops/endpoints/:id/resume", async (context) => {
    const id = context.req.param("id");
    const cell = await cellOfEndpoint(context, id);
    return answer(context, cell === null ? undefined : await resume(cell, id, actorOf(context)));
  });
  app.all("/ops/endpoints/:id/resume", methodNotAllowed("POST"));
  app.post("/ops/endpoints/:id/send-exhausted", async (context) => {
    const since = sinceOf(context.req.query("since"));
    const id = context.req.param("id");
    const cell = await cellOfEndpoint(context, id);
    const sent = cell === null ? undefined : await sendExhausted(cell, id, actorOf(context), since);
    if (sent === undefined) return plainError(context, 404, "There is no such endpoint.");
    if (sent.endpoint.status === "suspended") return plainError(context, 409, "This endpoint is suspended: resume it first.");
    return context.json({ success: true, restarted: sent.restarted, endpoint: viewEndpoint(sent.endpoint, nowIn(context)) });
  });
  app.all("/ops/endpoints/:id/send-exhausted", methodNotAllowed("POST"));

  app.post("/ops/secrets/re-encrypt", async (context) => {
    const { reEncrypted, undecryptable, left } = await reEncryptSecrets(context.get("deps"), actorOf(context));
    return context.json({ success: true, re_encrypted: reEncrypted, undecryptable, left });
  });
  app.all("/ops/secrets/re-encrypt", methodNotAllowed("POST"));

  app.get("/ops/deliveries", async (context) => {
    const wanted = deliveryFilterOf(context.req.query());
    const cell = "partnerId" in wanted ? await cellOfPartner(context, wanted.partnerId) : await cellOfEndpoint(context, wanted.endpointId);
    const found = cell === null ? null : await listDeliveries(cell, wanted);
    if (found === null) return plainError(context, 404, "There is no such partner or endpoint.");
    return context.json({ deliveries: found.map(viewDelivery) });
  });
  app.all("/ops/deliveries", methodNotAllowed("GET, HEAD"));

  app.get("/ops/deliveries/:event", async (context) => {
    const event = context.req.param("event");
    const cell = context.get("deps").inCellOf(event);
    const found = cell === null ? undefined : await getDelivery(cell, event);
    if (found === undefined) return plainError(context, 404, "There is no such event.");
    const attempts = found.attemptList.map(viewAttempt);
    return context.json({ ...viewDelivery(found), attempt_list: attempts, message: parseJson(jsonObjectSchema, found.body) });
  });
  app.all("/ops/deliveries/:event", methodNotAllowed("GET, HEAD"));

  app.post("/ops/deliveries/:event/resend", async (context) => {
    const event = context.req.param("event");
    const cell = context.get("deps").inCellOf(event);
    const resent = cell === null ? ({ outcome: "unknown_event" } as const) : await resendEvent(cell, event, actorOf(context));
    return answerResent(context, event, resent);
  });
  app.all("/ops/deliveries/:event/resend", methodNotAllowed("POST"));
  return app;
}

/** Null for an unknown partner. */
async function cellOfPartner(context: Context<AppEnv>, partnerId: string): Promise<CellDeps | null> {
  const deps = context.get("deps");
  const cell = await deps.cellOf(partnerId);
  return cell === null ? null : deps.inCell(cell);
}

/** The cell of the endpoint's partner. Null if there is no such partner. */
async function cellOfEndpoint(context: Context<AppEnv>, id: string): Promise<CellDeps | null> {
  const partnerId = partnerOfEndpoint(id);
  return partnerId === null ? null : cellOfPartner(context, partnerId);
}

function answer(context: Context<AppEnv>, endpoint: Parameters<typeof viewEndpoint>[0] | undefined): Response {
  if (endpoint === undefined) return plainError(context, 404, "There is no such endpoint.");
  return context.json({ success: true, endpoint: viewEndpoint(endpoint, nowIn(context)) });
}

function nowIn(context: Context<AppEnv>): number {
  return context.get("deps").clock.now();
}

function answerResent(context: Context<AppEnv>, event: string, resent: ResendResult): Response {
  switch (resent.outcome) {
    case "sent": {
      const { number, result } = resent;
      const attempt = { number, status: result.status, error: result.errorClass, answer: result.excerpt };
      return context.json({ success: result.errorClass === null, event, attempt });
    }
    case "in_progress":
      return plainError(context, 409, "A delivery attempt is in progress. Check its result.");
    case "no_endpoint":
      return plainError(context, 409, "Its partner has registered no webhook for that environment.");
    case "unknown_event":
      return plainError(context, 404, "There is no such event.");
  }
}

function deliveryFilterOf({ partner, endpoint, state }: Record<string, string>): DeliveryFilter {
  if (partner !== undefined && state !== undefined) rejectInput("state: goes with an endpoint, not with a partner");
  if (partner !== undefined) return { partnerId: partner };
  if (endpoint === undefined) rejectInput("give ?partner=<id>, or ?endpoint=<id>&state=<state>");
  const known = stateSchema.safeParse(state ?? "exhausted");
  return known.success
    ? { endpointId: endpoint, state: known.data }
    : rejectInput(`state: must be one of ${stateSchema.options.join(", ")}`);
}

/** The start of the period; default: all time. */
function sinceOf(text: string | undefined): number {
  if (text === undefined) return 0;
  return parseTimestamp(text, "start") ?? rejectInput(`since: must be a date or a timestamp in ISO 8601, such as ${isoTime(0)}`);
}
