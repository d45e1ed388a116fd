import { Hono } from "hono";
import * as z from "zod";
import { DAY, HOUR, MINUTE } from "../src/core/clock.ts";
import { bankCallNames } from "./bank/api.ts";
import { bankControl } from "./bank/control.ts";
import { BankError } from "./bank/failure.ts";
import { body, Mistake } from "./control-body.ts";
import { inboxOf } from "./inbox.ts";
import { objectControl } from "./object-control.ts";
import { callNames } from "./processor/api.ts";
import { addPlatformTransaction } from "./processor/balance.ts";
import { abandon, pay, settle } from "./processor/checkout.ts";
import { closeDispute, dispute, withdrawFunds } from "./processor/disputes.ts";
import { releaseEvents } from "./processor/events.ts";
import { ProcessorError } from "./processor/failure.ts";
import { refund, settleRefund } from "./processor/refunds.ts";
import { cancelAt, cancelAtPeriodEnd, changeQuantity, endSubscription, pauseCollection } from "./processor/subscription-changes.ts";
import { failedStatuses, renew, renewalOutcomes } from "./processor/subscriptions.ts";
import { emptyState, faultSchema } from "./state.ts";
import { listObjects, UnknownObject, type World } from "./world.ts";

const paySchema = z
  .object({
    short_url: z.url().optional(),
    payment_link_id: z.string().optional(),
    client_reference_id: z.string().optional(),
    email: z.string().optional(),
    method: z.string().optional(),
    promotion_code: z.string().optional(),
    balance_after_ms: z.int().nonnegative().optional(),
    subscription_after_ms: z.int().nonnegative().optional(),
    outcome: z.enum(["succeeded", "pending", "failed"]).optional(),
    settlement: z.object({ currency: z.string().length(3), exchange_rate: z.number().positive() }).optional(),
  })
  .refine((given) => given.short_url !== undefined || given.payment_link_id !== undefined, "give short_url or payment_link_id");

const refundSchema = z.object({
  payment_intent: z.string(),
  amount: z.int().positive().optional(),
  fail: z.boolean().default(false),
  pending: z.boolean().default(false),
  unbooked: z.boolean().default(false),
});

const renewSchema = z.object({
  subscription: z.string(),
  outcome: z.enum(renewalOutcomes).optional(),
  status: z.enum(failedStatuses).optional(),
});

const eventsSchema = z.object({
  environment: z.enum(["live", "test"]),
  hold: z.boolean().optional(),
  duplicate: z.int().nonnegative().optional(),
  shuffle: z.boolean().optional(),
});

const inboxAnswerSchema = z.object({
  status: z.int().min(200).max(599).default(200),
  times: z.int().positive().nullable().default(null),
  delay_ms: z.int().nonnegative().default(0),
});

const advanceSchema = z.object({
  days: z.int().min(0).max(400).default(0),
  hours: z.int().min(0).max(10_000).default(0),
  minutes: z.int().min(0).max(100_000).default(0),
});

const platformSchema = z.object({
  environment: z.enum(["live", "test"]),
  type: z.string(),
  amount: z.int(),
  currency: z.string().length(3),
  fee: z.int().default(0),
  description: z.string().nullable().default(null),
});

const disputeSchema = z.object({
  payment_intent: z.string(),
  inquiry: z.boolean().default(false),
  reason: z.string().default("fraudulent"),
  due_in_days: z.number().positive().default(14),
});

/** The kinds of objects that exist. */
const LISTS = new Set(
  "payment_link price product coupon promotion_code subscription payment_intent charge refund dispute invoice invoice_payment customer balance_transaction checkout.session event webhook_endpoint bank_payment".split(
    " ",
  ),
);

/** List names for `GET /control/objects?type=`, with their kind of object. */
const KINDS: Readonly<Record<string, string>> = { "checkout.sessions": "checkout.session", checkout_sessions: "checkout.session" };

/** `/control/…`: lets tests and people trigger actions of the processor, the bank and their customers. */
export function controlRoutes(world: World): Hono {
  const app = new Hono();
  app.onError((thrown, context) => {
    const error = thrown instanceof Error ? thrown.message : "failed";
    if (thrown instanceof UnknownObject) return context.json({ error }, 404);
    const isMistake = [ProcessorError, BankError, Mistake, SyntaxError].some((kind) => thrown instanceof kind);
    return context.json({ error }, isMistake ? 400 : 500);
  });

  app.post("/pay", body(paySchema), async (context) => {
    const { short_url, payment_link_id, ...payment } = context.get("body");
    if (short_url === undefined) return context.json(await pay(world, payment_link_id ?? "", payment));
    const followed = await follow(world, short_url, payment);
    return context.json(await pay(world, followed.paymentLinkId, { ...payment, ...followed.asSeenByCheckout }));
  });
  app.post("/abandon", body(paySchema), async (context) => {
    const { short_url, payment_link_id, ...customer } = context.get("body");
    if (short_url === undefined) return context.json(await abandon(world, payment_link_id ?? "", customer));
    const followed = await follow(world, short_url, customer);
    return context.json(await abandon(world, followed.paymentLinkId, { ...customer, ...followed.asSeenByCheckout }));
  });
  app.post("/settle", body(z.object({ payment_intent: z.string(), outcome: z.enum(["succeeded", "failed"]) })), async (context) => {
    const { payment_intent, outcome } = context.get("body");
    return context.json(await settle(world, payment_intent, outcome));
  });
  app.post("/renew", body(renewSchema), async (context) => {
    const { subscription, ...how } = context.get("body");
    return context.json(await renew(world, subscription, how));
  });
  app.post(
    "/cancel-at-period-end",
    body(z.object({ subscription: z.string(), comment: z.string().nullable().default(null) })),
    async (context) => {
      const { subscription, comment } = context.get("body");
      return context.json(await cancelAtPeriodEnd(world, subscription, comment));
    },
  );
  app.post("/cancel-at", body(z.object({ subscription: z.string(), at: z.int().positive() })), async (context) => {
    const { subscription, at } = context.get("body");
    return context.json(await cancelAt(world, subscription, at));
  });
  app.post("/quantity", body(z.object({ subscription: z.string(), quantity: z.int().positive() })), async (context) => {
    const { subscription, quantity } = context.get("body");
    return context.json(await changeQuantity(world, subscription, quantity));
  });
  app.post("/pause", body(z.object({ subscription: z.string(), paused: z.boolean().default(true) })), async (context) => {
    const { subscription, paused } = context.get("body");
    return context.json(await pauseCollection(world, subscription, paused));
  });
  app.post("/end-subscription", body(z.object({ subscription: z.string() })), async (context) =>
    context.json(await endSubscription(world, context.get("body").subscription)),
  );
  app.post("/refund", body(refundSchema), async (context) => {
    const { payment_intent, ...how } = context.get("body");
    return context.json(await refund(world, payment_intent, how));
  });
  app.post("/refund/settle", body(z.object({ refund: z.string(), outcome: z.enum(["succeeded", "failed"]) })), async (context) => {
    const { refund: id, outcome } = context.get("body");
    return context.json(await settleRefund(world, id, outcome));
  });
  app.post("/platform", body(platformSchema), (context) => {
    const { environment, ...money } = context.get("body");
    return context.json(addPlatformTransaction(world, { ...money, livemode: environment === "live" }));
  });
  app.post("/dispute", body(disputeSchema), async (context) => {
    const { payment_intent, ...how } = context.get("body");
    return context.json(await dispute(world, payment_intent, how));
  });
  app.post("/dispute/withdraw", body(z.object({ dispute: z.string() })), async (context) =>
    context.json(await withdrawFunds(world, context.get("body").dispute)),
  );
  app.post("/dispute/close", body(z.object({ dispute: z.string(), won: z.boolean() })), async (context) => {
    const closing = context.get("body");
    return context.json(await closeDispute(world, closing.dispute, closing.won));
  });

  app.route("/bank", bankControl(world));
  app.route("/", objectControl(world));

  app.post("/faults", body(faultSchema), (context) => {
    const fault = context.get("body");
    const names = fault.target === "bank" ? bankCallNames : callNames;
    if (!names.includes(fault.call)) throw new Mistake(`the ${fault.target} knows no call ${fault.call}; it knows ${names.join(", ")}`);
    world.state.faults.push(fault);
    return context.json({ faults: world.state.faults });
  });
  app.delete("/faults", (context) => {
    world.state.faults = [];
    return context.json({ faults: [] });
  });

  app.get("/objects", (context) => {
    const type = context.req.query("type") ?? "";
    const kind = KINDS[type] ?? type.replace(/s$/, "");
    if (!LISTS.has(kind)) throw new Mistake(`there are no objects of type ${JSON.stringify(type)}`);
    const data = listObjects(world, kind).toReversed();
    return context.json({ data, count: data.length });
  });
  app.get("/requests", (context) => {
    const { target, since } = context.req.query();
    const from = since === undefined ? 0 : /^\d+$/.test(since) ? Number(since) : Date.parse(since);
    return context.json(
      world.state.requests.filter((request) => request.at >= from && (target === undefined || request.target === target)),
    );
  });

  app.get("/inbox/:name", (context) => context.json(inboxOf(world, context.req.param("name")).received));
  app.post("/inbox/:name", body(inboxAnswerSchema), (context) => {
    const inbox = inboxOf(world, context.req.param("name"));
    inbox.answer = context.get("body");
    return context.json(inbox.answer);
  });

  app.post("/events", body(eventsSchema), async (context) => {
    const { environment, ...wanted } = context.get("body");
    const settings = world.state.events[environment];
    settings.hold = wanted.hold ?? settings.hold;
    settings.duplicate = wanted.duplicate ?? settings.duplicate;
    settings.shuffle = wanted.shuffle ?? settings.shuffle;
    if (!settings.hold) await releaseEvents(world, environment);
    return context.json({ ...settings, held: settings.held.length });
  });

  app.post("/advance", body(advanceSchema), async (context) => {
    const { days, hours, minutes } = context.get("body");
    if (world.advance === undefined) throw new Mistake("only the service that partners install can advance its time");
    await world.advance(days * DAY + hours * HOUR + minutes * MINUTE);
    return context.json({ now: new Date(world.clock.now()).toISOString() });
  });
  app.post("/reset", (context) => {
    world.state = emptyState();
    return context.json({ reset: true });
  });
  app.all("*", (context) => context.json({ error: "there is no such control" }, 404));
  return app;
}

/** A customer opens a short link: through the edge, with the query that the partner's shop would add. */
async function follow(world: World, shortUrl: string, payment: { client_reference_id?: string | undefined; email?: string | undefined }) {
  const url = new URL(shortUrl);
  if (payment.client_reference_id !== undefined) url.searchParams.set("client_reference_id", payment.client_reference_id);
  if (payment.email !== undefined) url.searchParams.set("prefilled_email", payment.email);
  const response = await world.fetch(url.href, { redirect: "manual" });
  const location = response.headers.get("Location");
  if (response.status !== 302 || location === null) throw new Mistake(`the short link answered ${response.status} and does not redirect`);
  const target = new URL(location);
  const query = target.searchParams;
  return {
    paymentLinkId: target.pathname.split("/").at(-1) ?? "",
    asSeenByCheckout: { client_reference_id: query.get("client_reference_id"), email: query.get("prefilled_email") },
  };
}
