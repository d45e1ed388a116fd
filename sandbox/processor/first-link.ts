import { jsonObjectSchema } from "../../src/core/json.ts";
import { firstLink } from "../fixtures.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, getObject, type World } from "../world.ts";

/**
 * A payment link by its id. The link of the fixtures is created at its first use, so that the sandbox is empty after a
 * reset.
 */
export function getPaymentLink(world: World, id: string): ProcessorObject {
  if (id === firstLink.id && findObject(world, id) === undefined) addFirstLink(world);
  return getObject(world, "payment_link", id);
}

function addFirstLink(world: World): void {
  const { id, priceId, productId, unitAmount } = firstLink;
  const metadata = { partner_id: "acme" };
  const price = addObject(world, "price", {
    id: priceId,
    object: "price",
    livemode: true,
    active: true,
    product: productId,
    currency: "usd",
    unit_amount: unitAmount,
    type: "one_time",
    recurring: null,
  });
  addObject(world, "plink", {
    id,
    object: "payment_link",
    livemode: true,
    active: true,
    url: `${world.origin}/checkout/${id}`,
    currency: "usd",
    payment_method_types: ["card", "link"],
    allow_promotion_codes: false,
    after_completion: { type: "hosted_confirmation", hosted_confirmation: { custom_message: null } },
    metadata,
    payment_intent_data: { metadata },
    subscription_data: null,
  });
  world.state.lines[id] = [
    jsonObjectSchema.parse({
      id: "li_first",
      object: "item",
      amount_total: unitAmount,
      currency: "usd",
      description: productId,
      price,
      quantity: 1,
    }),
  ];
}
