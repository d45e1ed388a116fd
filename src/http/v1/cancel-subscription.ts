import * as z from "zod";
import { withoutPerson } from "../../ledger/personal-data.ts";
import { isSnapshotErased, snapshotKey } from "../../ledger/snapshots.ts";
import { holderName } from "../../partners/authenticate.ts";
import { admit } from "../../partners/change-counts.ts";
import { setCancelAtPeriodEnd } from "../../subscriptions/cancel-at-period-end.ts";
import { ownDeps } from "../context.ts";
import { subscriptionId } from "../schemas.ts";
import { defineStatusOperation } from "./status-operation.ts";

const ONE_FLAG = "must be true or false (or 1 or 0), once";
/** The subscription is in the query, the flag in the form body (interface 4.1). */
const query = z.object({ subscription_id: subscriptionId.describe("sub_…, active, of one of your customers") });
const input = z.object({ cancel_at_period_end: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"], error: ONE_FLAG }) });

/** The fields of the processor's subscription that the interface guarantees; the answer has more. */
const output = z.looseObject({
  id: z.string(),
  object: z.literal("subscription"),
  cancel_at: z.int().nullable().describe("When it ends, in Unix seconds; null if it renews"),
  cancel_at_period_end: z.boolean(),
  billing_cycle_anchor: z.int().describe("Unix seconds"),
  application_fee_percent: z.number().nullable(),
  automatic_tax: z
    .looseObject({ disabled_reason: z.string().nullable(), enabled: z.boolean(), liability: z.unknown() })
    .meta({ title: "AutomaticTax" }),
  billing_mode: z.looseObject({ type: z.string() }).meta({ title: "BillingMode" }),
  billing_thresholds: z.unknown(),
});

/** Operation 4. The answer is the processor's subscription itself, without an envelope (interface 4.4). */
export const cancelSubscription = defineStatusOperation({
  name: "cancel_subscription_at_period_end",
  title: "Cancel a subscription",
  method: "subscriptions.cancelAtPeriodEnd",
  summary: "Schedule the end of a subscription at the end of its paid period, or cancel that schedule",
  description:
    "`true` schedules the end: the customer keeps access until then and is not charged again. `false`, before that day, cancels the schedule. Nothing ends at once. Setting the same value again changes nothing, so repeating is safe. The answer is the processor's subscription object. Any of your keys may do it, unless a required permission was agreed.",
  deprecated: false,
  kind: "creation",
  permission: null,
  alsoNeeds: ({ cancelPermission }) => cancelPermission,
  key: "header",
  query,
  bodyType: "application/x-www-form-urlencoded",
  input,
  output,
  failures: [
    "invalid_input",
    "key_missing",
    "key_invalid",
    "permission_missing",
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
  async handle(context, { cancel_at_period_end }, { subscription_id }) {
    const [deps, caller] = [ownDeps(context), context.get("caller")];
    await admit(deps, "cancellation", caller.partnerId);
    const actor = { name: holderName(caller.holder), requestId: context.get("requestId") };
    const request = { subscriptionId: subscription_id, cancelAtPeriodEnd: cancel_at_period_end };
    const { livemode, ...subscription } = await setCancelAtPeriodEnd(deps, caller, request, actor);
    const object = { ...subscription, livemode: livemode ?? null };
    // The buyer's address and free texts stay at the processor, from where this answer comes.
    const isErased = await isSnapshotErased(deps, snapshotKey(livemode === true ? "live" : "test", subscription_id));
    return context.json(isErased ? withoutPerson(object) : object);
  },
});
