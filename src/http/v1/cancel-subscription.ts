import { Hono } from "hono";
import { rejectInput } from "../../core/errors.ts";
import { setCancelAtPeriodEnd } from "../../subscriptions/cancel-at-period-end.ts";
import { authenticateBy } from "../authenticate.ts";
import { limitBody } from "../body.ts";
import type { AppEnv } from "../context.ts";

const SUBSCRIPTION_ID = /^sub_[A-Za-z0-9_]{1,200}$/;
const FIELD = "cancel_at_period_end";

/** Operation 4. The answer is the processor's subscription itself, without an envelope. */
export const cancelSubscription = {
  path: "/webhook/cancel_subscription_at_period_end",
  routes: new Hono<AppEnv>().post(
    "/webhook/cancel_subscription_at_period_end",
    limitBody,
    authenticateBy("header", null),
    async (context) => {
      const subscriptionId = readSubscriptionId(context.req.queries("subscription_id") ?? []);
      requireForm(context.req.header("Content-Type"));
      const cancelAtPeriodEnd = readFlag(await context.req.formData());
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

/** A body that is not a form is not read at all. */
function requireForm(contentType: string | undefined): void {
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? "")) return;
  rejectInput("send the body as a form, with the header Content-Type: application/x-www-form-urlencoded");
}

/** The one field of the form. A form that says it twice does not say which it means. */
function readFlag(form: FormData): boolean {
  const [value, ...others] = form.getAll(FIELD);
  if (others.length > 0 || (value !== "true" && value !== "false")) rejectInput(`${FIELD} must be true or false, once`, FIELD);
  return value === "true";
}
