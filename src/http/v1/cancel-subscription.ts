import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { rejectInput, ServiceFailure } from "../../core/errors.ts";
import { setCancelAtPeriodEnd } from "../../subscriptions/cancel-at-period-end.ts";
import { authenticateBy } from "../authenticate.ts";
import { decodeText, limitBody } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { faultOf } from "../operation.ts";
import type { StatusOperation } from "./status-operation.ts";

const PATH = "/webhook/cancel_subscription_at_period_end";
const ONE_ID = "give exactly one, sub_…";
const ONE_FLAG = "must be true or false, once";
const query = z.object({
  subscription_id: z
    .string(ONE_ID)
    .regex(/^sub_[A-Za-z0-9_]{1,200}$/, ONE_ID)
    .describe("sub_…, active, of one of your customers"),
});
const input = z.object({ cancel_at_period_end: z.enum(["true", "false"], ONE_FLAG) });

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
  query,
  bodyType: "application/x-www-form-urlencoded",
  input,
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
    request: { cancel_at_period_end: "true" },
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
    const { subscription_id } = readOnce(query, new URL(context.req.url).searchParams);
    const { cancel_at_period_end } = readOnce(input, new URLSearchParams(decodeText(await context.req.arrayBuffer())));
    const request = { subscriptionId: subscription_id, cancelAtPeriodEnd: cancel_at_period_end === "true" };
    return context.json(await setCancelAtPeriodEnd(context.get("tools"), context.get("caller"), request));
  }),
};

/** The fields of a query or a form. One that stands there twice does not say which it means, and counts as none. */
function readOnce<Shape extends z.ZodType>(shape: Shape, fields: URLSearchParams): z.output<Shape> {
  const once = [...fields.keys()].flatMap((name) => {
    const [value, ...others] = fields.getAll(name);
    return others.length === 0 ? [[name, value]] : [];
  });
  const checked = shape.safeParse(Object.fromEntries(once));
  if (!checked.success) throw new ServiceFailure(faultOf(checked.error.issues[0]));
  return checked.data;
}
