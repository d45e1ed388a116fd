import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { rejectInput } from "../../core/errors.ts";
import { setCancelAtPeriodEnd } from "../../subscriptions/cancel-at-period-end.ts";
import { authenticateBy } from "../authenticate.ts";
import { decodeText, limitBody } from "../body.ts";
import type { AppEnv } from "../context.ts";
import type { StatusOperation } from "./status-operation.ts";

const PATH = "/webhook/cancel_subscription_at_period_end";
const SUBSCRIPTION_ID = /^sub_[A-Za-z0-9_]{1,200}$/;
const FIELD = "cancel_at_period_end";

/** What is promised of the processor's subscription; it has more. */
const output = z.looseObject({
  id: z.string(),
  object: z.literal("subscription"),
  cancel_at: z.int().nullable().describe("When it ends, in Unix seconds; null where it renews"),
  cancel_at_period_end: z.boolean(),
  billing_cycle_anchor: z.int().describe("Unix seconds"),
  application_fee_percent: z.number().nullable(),
  automatic_tax: z.looseObject({ disabled_reason: z.string().nullable(), enabled: z.boolean(), liability: z.unknown() }),
  billing_mode: z.looseObject({ type: z.string() }),
  billing_thresholds: z.unknown(),
});

/** Makes sure that the body is a form, before anything else is looked at; none is an empty one. */
const requireForm = createMiddleware<AppEnv>(async (context, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(context.req.header("Content-Type") ?? "");
  const { byteLength } = await context.req.arrayBuffer();
  if (!isForm && byteLength > 0) rejectInput("send the body as a form, with the header Content-Type: application/x-www-form-urlencoded");
  await next();
});

/** Operation 4. The answer is the processor's subscription itself, without an envelope. */
export const cancelSubscription: StatusOperation = {
  name: "cancel_subscription_at_period_end",
  path: PATH,
  summary: "Have a subscription end with its paid period, or not after all",
  description:
    "`true` schedules the end: the customer keeps access until then and is not charged again. `false`, before that day, takes it back. It never ends anything at once. Setting what is set already changes nothing, so repeating is safe. The answer is the processor's subscription object.",
  deprecated: false,
  permission: null,
  key: "header",
  query: z.object({ subscription_id: z.string().regex(SUBSCRIPTION_ID).describe("sub_…, active, of one of your customers") }),
  bodyType: "application/x-www-form-urlencoded",
  input: z.object({ [FIELD]: z.enum(["true", "false"]) }),
  output,
  failures: [
    "invalid_input",
    "key_missing",
    "key_invalid",
    "subscription_not_known",
    "subscription_of_another_partner",
    "subscription_not_active",
    "subscription_not_changeable",
    "upstream_timeout",
    "upstream_failed",
    "internal",
  ],
  example: {
    query: { subscription_id: "sub_1QaZx7" },
    request: { [FIELD]: "true" },
    response: {
      id: "sub_1QaZx7",
      object: "subscription",
      status: "active",
      cancel_at: 1797755398,
      cancel_at_period_end: true,
      billing_cycle_anchor: 1795163398,
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_mode: { flexible: null, type: "classic" },
      billing_thresholds: null,
    } satisfies z.infer<typeof output>,
  },
  routes: new Hono<AppEnv>().post(PATH, limitBody, requireForm, authenticateBy("header", null), async (context) => {
    const subscriptionId = readSubscriptionId(context.req.queries("subscription_id") ?? []);
    const cancelAtPeriodEnd = readFlag(decodeText(await context.req.arrayBuffer()));
    return context.json(await setCancelAtPeriodEnd(context.get("tools"), context.get("caller"), { subscriptionId, cancelAtPeriodEnd }));
  }),
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
