import * as z from "zod";
import type { ProcessorObject } from "../state.ts";
import { getObject, nowInSeconds, type World } from "../world.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { type Form, text } from "./form.ts";
import { currentPeriodEnd } from "./period.ts";

/** `POST /v1/subscriptions/:id`: only the scheduled end can be changed. */
export async function updateSubscription(world: World, id: string, form: Form, livemode: boolean): Promise<ProcessorObject> {
  const subscription = getObject(world, "subscription", id, livemode);
  const wanted = text(form, "cancel_at_period_end");
  const clearsMoment = form.cancel_at === "";
  if (subscription.status === "canceled") throw invalidRequest("A canceled subscription can only update its cancellation_details.", "id");
  if (subscription.status === "incomplete") {
    throw invalidRequest("An incomplete subscription can only have its metadata and default_source updated.", "id");
  }
  if (wanted !== null && form.cancel_at !== undefined) {
    throw invalidRequest("Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.", "cancel_at");
  }
  const { cancel_at_period_end, cancel_at, canceled_at } = subscription;
  if (wanted === "true") {
    const now = nowInSeconds(world);
    Object.assign(subscription, { cancel_at_period_end: true, cancel_at: currentPeriodEnd(subscription), canceled_at: now });
  }
  // The flag does not clear a `cancel_at` that was set as a timestamp.
  if (clearsMoment || (wanted === "false" && subscription.cancel_at_period_end === true)) {
    Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null, canceled_at: null });
  }
  await sendEvents(world, [
    makeEvent(world, "customer.subscription.updated", subscription, { cancel_at_period_end, cancel_at, canceled_at }),
  ]);
  return subscription;
}

/** Schedules the end of a subscription, as its customer may do at the processor, with a comment; for a control. */
export async function cancelAtPeriodEnd(world: World, id: string, comment: string | null) {
  const { livemode } = getObject(world, "subscription", id);
  Object.assign(getObject(world, "subscription", id), {
    cancellation_details: { comment, feedback: comment === null ? null : "other", reason: "cancellation_requested" },
  });
  await updateSubscription(world, id, { cancel_at_period_end: "true" }, livemode);
  return { subscription: id };
}

/** Schedules the end of a subscription at a moment (Unix seconds), as its merchant may do at the processor, for a control. */
export async function cancelAt(world: World, id: string, at: number) {
  const subscription = getObject(world, "subscription", id);
  const { cancel_at_period_end, cancel_at, canceled_at } = subscription;
  Object.assign(subscription, { cancel_at: at, cancel_at_period_end: false, canceled_at: nowInSeconds(world) });
  await sendEvents(world, [
    makeEvent(world, "customer.subscription.updated", subscription, { cancel_at_period_end, cancel_at, canceled_at }),
  ]);
  return { subscription: id, cancel_at: at };
}

/** Stops or resumes the collection of a subscription's payments, for a control. Its status stays (the processor's documentation). */
export async function pauseCollection(world: World, id: string, isPaused: boolean) {
  const subscription = getObject(world, "subscription", id);
  const { pause_collection = null } = subscription;
  subscription.pause_collection = isPaused ? { behavior: "void", resumes_at: null } : null;
  await sendEvents(world, [makeEvent(world, "customer.subscription.updated", subscription, { pause_collection })]);
  return { subscription: id, paused: isPaused };
}

const itemsSchema = z.looseObject({ data: z.array(z.looseObject({ quantity: z.number() })) });

/** Changes the quantity of a subscription's first item, as its merchant may do at the processor, for a control. */
export async function changeQuantity(world: World, id: string, quantity: number) {
  const subscription = getObject(world, "subscription", id);
  const items = structuredClone(subscription.items);
  const { data } = itemsSchema.parse(items);
  subscription.items = { ...itemsSchema.parse(items), data: data.map((item, index) => (index === 0 ? { ...item, quantity } : item)) };
  await sendEvents(world, [makeEvent(world, "customer.subscription.updated", subscription, { items })]);
  return { subscription: id, quantity };
}

/** Cancels a subscription at once, for a control. */
export async function endSubscription(world: World, id: string) {
  const { status } = await cancelSubscription(world, id);
  return { subscription: id, status };
}

/** `DELETE /v1/subscriptions/:id`: cancels a subscription at once. */
export async function cancelSubscription(world: World, id: string, livemode?: boolean): Promise<ProcessorObject> {
  const subscription = getObject(world, "subscription", id, livemode);
  subscription.status = "canceled";
  subscription.ended_at = nowInSeconds(world);
  subscription.canceled_at ??= subscription.ended_at;
  await sendEvents(world, [makeEvent(world, "customer.subscription.deleted", subscription)]);
  return subscription;
}
