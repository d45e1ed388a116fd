import { endSubscription } from "../processor/subscription-changes.ts";
import { renew } from "../processor/subscriptions.ts";
import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { price } from "./layout.ts";
import { button, buttons, code, environment, listing, type Section, time } from "./tables.ts";

/** Actions on a subscription, by button name. */
export const subscriptionActions = {
  renew: (world: World, id: string) => renew(world, id),
  end: (world: World, id: string) => endSubscription(world, id),
};

/** Subscriptions, for the start page. */
export function subscriptions(world: World): Section {
  const head = ["Made", "Subscription", "Environment", "A period", "Status", "Afterwards", ""];
  const about = { id: "subscriptions", title: "Subscriptions", head, none: "None yet. Pay a link for a subscription." };
  return listing(about, listObjects(world, "subscription"), (subscription) => [
    time(subscription),
    code(subscription.id),
    environment(subscription),
    price(subscription.amount, subscription.currency),
    String(subscription.status),
    isOver(subscription) ? "" : subscription.cancel_at === null ? "renews" : `ends ${dayOf(subscription.cancel_at)}`,
    isOver(subscription) ? "" : buttons(button("renew", subscription, "Renew"), button("end", subscription, "End now")),
  ]);
}

const isOver = ({ status }: ProcessorObject) => status !== "active" && status !== "trialing";
const dayOf = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
