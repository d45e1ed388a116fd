import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, listObjects, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";

/** `POST /v1/coupons`. */
export function createCoupon(world: World, form: Form, livemode: boolean): ProcessorObject {
  const percentOff = Number(text(form, "percent_off") ?? Number.NaN);
  if (!(percentOff > 0 && percentOff <= 100)) throw invalidRequest("percent_off must be between 0 and 100.", "percent_off");
  const ownId = text(form, "id");
  const duration = text(form, "duration") ?? "once";
  return addObject(world, "coupon", {
    ...(ownId === null ? {} : { id: ownId }),
    object: "coupon",
    livemode,
    percent_off: percentOff,
    duration,
    duration_in_months: duration === "repeating" ? integer(form, "duration_in_months") : null,
    max_redemptions: integer(form, "max_redemptions"),
    redeem_by: integer(form, "redeem_by"),
    applies_to: { products: list(branch(form, "applies_to"), "products").map(String) },
    name: text(form, "name"),
    metadata: branch(form, "metadata"),
    times_redeemed: 0,
    valid: true,
  });
}

/** `POST /v1/promotion_codes`: a code is unique among the active ones, whatever its case. */
export function createPromotionCode(world: World, form: Form, livemode: boolean): ProcessorObject {
  const code = text(form, "code");
  const coupon = getObject(world, "coupon", text(branch(form, "promotion"), "coupon"), livemode);
  if (code === null || !/^[A-Za-z0-9-]{1,500}$/.test(code)) {
    throw invalidRequest("Promotion codes may only contain letters, digits and hyphens.", "code");
  }
  const taken = listObjects(world, "promotion_code").some(
    (other) => other.livemode === livemode && other.active === true && String(other.code).toLowerCase() === code.toLowerCase(),
  );
  if (taken) throw invalidRequest(`An active promotion code with \`code: ${code}\` already exists.`, "code");
  return addObject(world, "promo", {
    object: "promotion_code",
    livemode,
    active: true,
    code,
    promotion: { type: "coupon", coupon: coupon.id },
    expires_at: integer(form, "expires_at"),
    max_redemptions: integer(form, "max_redemptions"),
    metadata: branch(form, "metadata"),
    times_redeemed: 0,
  });
}

/** `DELETE /v1/coupons/:id`. */
export function deleteCoupon(world: World, id: string, livemode: boolean) {
  getObject(world, "coupon", id, livemode);
  delete world.state.objects[id];
  world.state.order.coupon = (world.state.order.coupon ?? []).filter((other) => other !== id);
  return { id, object: "coupon", deleted: true };
}
