import * as z from "zod";
import { jsonObjectSchema } from "../../src/core/json.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, getObject, randomId, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";
import { checkMethods } from "./methods.ts";
import { createPrice } from "./prices.ts";

const MAX_LINES = 20;
const MAX_TRIAL_DAYS = 730;
const MAX_URL = 2_048;
/** The minimum total of a payment in minor units, for currencies where it is not 50. */
const LEAST: Readonly<Record<string, number>> = { gbp: 30 };

/** `POST /v1/payment_links`: with existing prices, or with new prices from `price_data`. */
export function createPaymentLink(world: World, form: Form, livemode: boolean): ProcessorObject {
  const lines = list(form, "line_items");
  if (lines.length === 0) throw invalidRequest("Missing required param: line_items.", "line_items", "parameter_missing");
  if (lines.length > MAX_LINES) throw invalidRequest(`Payment links support up to ${MAX_LINES} line items.`, "line_items");
  const priced = lines.map((line, index) => priceLine(world, line as Form, index, livemode));
  const [currency = "", ...others] = new Set(priced.map(({ price }) => String(price.currency)));
  if (others.length > 0) throw invalidRequest("All prices on a payment link must use the same currency.", "line_items");
  const recurring = priced.some(({ price }) => price.recurring !== null);
  checkMode(form, recurring);
  const total = priced.reduce((sum, { price, quantity }) => sum + Number(price.unit_amount) * quantity, 0);
  const least = LEAST[currency] ?? 50;
  if (total < least) {
    throw invalidRequest(`The total amount due must be at least ${least} minor units of ${currency}.`, "line_items", "amount_too_small");
  }
  const methods = checkMethods(form, currency, recurring);
  const id = randomId("plink");
  const link = addObject(world, "plink", {
    id,
    object: "payment_link",
    livemode,
    active: true,
    url: `${world.origin}/checkout/${id}`,
    currency,
    payment_method_types: methods.length > 0 ? methods : ["card"],
    restrictions: restrictionsIn(form, 0),
    allow_promotion_codes: form.allow_promotion_codes === "true",
    after_completion: afterCompletion(form),
    metadata: branch(form, "metadata"),
    payment_intent_data: recurring ? null : { metadata: branch(branch(form, "payment_intent_data"), "metadata") },
    subscription_data: recurring ? subscriptionData(branch(form, "subscription_data")) : null,
  });
  world.state.lines[id] = priced.map(({ price, quantity }) =>
    jsonObjectSchema.parse({
      id: randomId("li"),
      object: "item",
      amount_total: Number(price.unit_amount) * quantity,
      currency: price.currency,
      description: findObject(world, price.product)?.name ?? String(price.product),
      price,
      quantity,
    }),
  );
  return link;
}

/** Payment fields require a one-time price, and subscription fields a recurring one. */
function checkMode(form: Form, isRecurring: boolean): void {
  const wrong = isRecurring ? "payment_intent_data" : "subscription_data";
  if (form[wrong] === undefined) return;
  const mode = isRecurring ? "subscription" : "payment";
  throw invalidRequest(`You can not pass \`${wrong}\` in \`${mode}\` mode.`, wrong);
}

function subscriptionData(form: Form) {
  const days = text(form, "trial_period_days");
  const field = "subscription_data[trial_period_days]";
  if (days !== null && Number(days) < 1) throw invalidRequest("The minimum number of trial period days is 1.", field);
  if (days !== null && Number(days) > MAX_TRIAL_DAYS) {
    throw invalidRequest(`The maximum number of trial period days is ${MAX_TRIAL_DAYS} (2 years).`, field);
  }
  return { metadata: branch(form, "metadata"), trial_period_days: days === null ? null : Number(days) };
}

/** `POST /v1/payment_links/:id`: an inactive link shows a page that says so. */
export function updatePaymentLink(world: World, id: string, form: Form, livemode: boolean): ProcessorObject {
  const link = getObject(world, "payment_link", id, livemode);
  const active = text(form, "active");
  if (active !== null) link.active = active === "true";
  if (form.restrictions !== undefined) link.restrictions = restrictionsIn(form, completedOf(world, id));
  return link;
}

/** Of a form without one, or with an empty text: no restriction. `count`: the checkouts that are complete. */
function restrictionsIn(form: Form, count: number) {
  const limit = integer(branch(branch(form, "restrictions"), "completed_sessions"), "limit");
  if (limit !== null && limit < 1) throw invalidRequest("Invalid integer", "restrictions[completed_sessions][limit]");
  return limit === null ? null : { completed_sessions: { count, limit } };
}

/** Counts the completed checkouts of a link that has a restriction. The last one closes it. */
export function countCompleted(world: World, linkId: string): void {
  const link = findObject(world, linkId);
  const limit = restrictionsSchema.safeParse(link?.restrictions).data?.completed_sessions.limit;
  if (link === undefined || limit === undefined) return;
  const count = completedOf(world, linkId);
  link.restrictions = { completed_sessions: { count, limit } };
  if (count >= limit) link.active = false;
}

const restrictionsSchema = z.object({ completed_sessions: z.object({ count: z.int(), limit: z.int() }) });

function completedOf(world: World, linkId: string): number {
  const isOne = ({ object, payment_link, status }: ProcessorObject) =>
    object === "checkout.session" && payment_link === linkId && status === "complete";
  return Object.values(world.state.objects).filter(isOne).length;
}

/** `GET /v1/payment_links/:id/line_items`. */
export function listLines(world: World, linkId: string, limit: number, livemode: boolean) {
  getObject(world, "payment_link", linkId, livemode);
  const lines = world.state.lines[linkId] ?? [];
  return { object: "list", url: `/v1/payment_links/${linkId}/line_items`, has_more: lines.length > limit, data: lines.slice(0, limit) };
}

/** The total of a link, in minor units. */
export function totalOf(world: World, linkId: string): number {
  return (world.state.lines[linkId] ?? []).reduce((sum, line) => sum + Number(line.amount_total), 0);
}

function priceLine(world: World, line: Form, index: number, livemode: boolean): { price: ProcessorObject; quantity: number } {
  const quantity = integer(line, "quantity");
  if (quantity === null || quantity < 1) throw invalidRequest("Invalid quantity.", `line_items[${index}][quantity]`);
  const priceId = text(line, "price");
  const field = `line_items[${index}][price_data]`;
  const price =
    priceId === null ? createPrice(world, branch(line, "price_data"), livemode, field) : getObject(world, "price", priceId, livemode);
  return { price, quantity };
}

function afterCompletion(form: Form) {
  const url = text(branch(branch(form, "after_completion"), "redirect"), "url");
  if (url !== null && url.length > MAX_URL) {
    throw invalidRequest(`Invalid string: must be at most ${MAX_URL} characters`, "after_completion[redirect][url]");
  }
  return url === null
    ? { type: "hosted_confirmation", hosted_confirmation: { custom_message: null } }
    : { type: "redirect", redirect: { url } };
}
