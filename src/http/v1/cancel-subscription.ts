import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { rejectInput } from "../../core/errors.ts";
import { setCancelAtPeriodEnd } from "../../subscriptions/cancel-at-period-end.ts";
import { authenticateBy } from "../authenticate.ts";
import { decodeText, limitBody } from "../body.ts";
import type { AppEnv } from "../context.ts";

const SUBSCRIPTION_ID = /^sub_[A-Za-z0-9_]{1,200}$/;
const FIELD = "cancel_at_period_end";

/** Makes sure that the body is a form, before anything else is looked at; none is an empty one. */
const requireForm = createMiddleware<AppEnv>(async (context, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(context.req.header("Content-Type") ?? "");
  const { byteLength } = await context.req.arrayBuffer();
  if (!isForm && byteLength > 0) rejectInput("send the body as a form, with the header Content-Type: application/x-www-form-urlencoded");
  await next();
});

/** Operation 4. The answer is the processor's subscription itself, without an envelope. */
export const cancelSubscription = {
  path: "/webhook/cancel_subscription_at_period_end",
  routes: new Hono<AppEnv>().post(
    "/webhook/cancel_subscription_at_period_end",
    limitBody,
    requireForm,
    authenticateBy("header", null),
    async (context) => {
      const subscriptionId = readSubscriptionId(context.req.queries("subscription_id") ?? []);
      const cancelAtPeriodEnd = readFlag(decodeText(await context.req.arrayBuffer()));
      return context.json(await setCancelAtPeriodEnd(context.get("tools"), context.get("caller"), { subscriptionId, cancelAtPeriodEnd }));
    },
  ),
};

function readSubscriptionId([id, ...others]: readonly string[]): string {
  if (id === undefined || others.length > 0 || !SUBSCRIPTION_ID.test(id)) {
    rejectInput("give exactly one subscription_id, sub_…, in the query", "subscription_id");
  }
  return id;
}

/** The one field of the form. A form that says it twice does not say which it means. */
function readFlag(form: string): boolean {
  const [value, ...others] = new URLSearchParams(form).getAll(FIELD);
  if (others.length > 0 || (value !== "true" && value !== "false")) rejectInput(`${FIELD} must be true or false, once`, FIELD);
  return value === "true";
}
