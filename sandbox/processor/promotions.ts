import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, listObjects, nowInSeconds, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";
import { knowProduct } from "./links.ts";

const DURATIONS = ["once", "forever", "repeating"];

/** `POST /v1/coupons`. */
export function createCoupon(world: World, form: Form, livemode: boolean): ProcessorObject {
  const percentOff = Number(text(form, "percent_off") ?? Number.NaN);
  if (!(percentOff > 0 && percentOff <= 100)) throw invalidRequest("percent_off must be between 0 and 100.", "percent_off");
  const ownId = text(form, "id");
  const duration = text(form, "duration") ?? "once";
  if (!DURATIONS.includes(duration)) throw invalidRequest("Invalid duration: must be one of forever, once, or repeating", "duration");
  const months = integer(form, "duration_in_months");
  if ((duration === "repeating") !== (months !== null && months >= 1)) {
    throw invalidRequest("duration_in_months must be given, and be positive, if and only if duration is repeating.", "duration_in_months");
  }
  const products = list(branch(form, "applies_to"), "products").map(String);
  for (const product of products) knowProduct(world, product, livemode);
  return addObject(world, "coupon", {
    ...(ownId === null ? {} : { id: ownId }),
    object: "coupon",
    livemode,
    percent_off: percentOff,
    duration,
    duration_in_months: months,
    max_redemptions: integer(form, "max_redemptions"),
    redeem_by: integer(form, "redeem_by"),
    applies_to: { products },
    name: text(form, "name"),
    metadata: branch(form, "metadata"),
    times_redeemed: 0,
    valid: true,
  });
}

/** `POST /v1/promotion_codes`: a code is unique among the active ones, case-insensitively. */
export function createPromotionCode(world: World, form: Form, livemode: boolean): ProcessorObject {
  const code = text(form, "code");
  const coupon = getObject(world, "coupon", text(branch(form, "promotion"), "coupon"), livemode);
  if (code === null || !/^[A-Za-z0-9-]{1,500}$/.test(code)) {
    throw invalidRequest("Promotion codes may only contain letters, digits and hyphens.", "code");
  }
  const expiresAt = integer(form, "expires_at");
  if (expiresAt !== null && expiresAt <= nowInSeconds(world)) throw invalidRequest("expires_at must be in the future.", "expires_at");
  const taken = listObjects(world, "promotion_code").some(
    (other) => other.livemode === livemode && isActive(world, other) && isSameCode(other.code, code),
  );
  if (taken) throw invalidRequest(`An active promotion code with \`code: ${code}\` already exists.`, "code");
  return addObject(world, "promo", {
    object: "promotion_code",
    livemode,
    active: true,
    code,
    promotion: { type: "coupon", coupon: coupon.id },
    expires_at: expiresAt,
    max_redemptions: integer(form, "max_redemptions"),
    metadata: branch(form, "metadata"),
    times_redeemed: 0,
  });
}

/** Whether customers can use a code. A code can expire without an update. */
function isActive(world: World, code: ProcessorObject): boolean {
  return code.active === true && (code.expires_at === null || Number(code.expires_at) > nowInSeconds(world));
}

function isSameCode(one: unknown, other: string): boolean {
  return String(one).toLowerCase() === other.toLowerCase();
}

/** The filters of `GET /v1/promotion_codes`. */
export function fitsPromotionCode(world: World, code: ProcessorObject, form: Form): boolean {
  const [wanted, active, coupon] = ["code", "active", "coupon"].map((field) => text(form, field));
  return (
    (wanted == null || isSameCode(code.code, wanted)) &&
    (active == null || isActive(world, code) === (active === "true")) &&
    (coupon == null || (code.promotion as { coupon: string }).coupon === coupon)
  );
}

/** `POST /v1/promotion_codes/:id`: deactivates or reactivates a code. */
export function updatePromotionCode(world: World, id: string, form: Form, livemode: boolean): ProcessorObject {
  const code = getObject(world, "promotion_code", id, livemode);
  const active = text(form, "active");
  if (active !== null) code.active = active === "true";
  return code;
}

/** `DELETE /v1/coupons/:id`. */
export function deleteCoupon(world: World, id: string, livemode: boolean) {
  getObject(world, "coupon", id, livemode);
  delete world.state.objects[id];
  world.state.order.coupon = (world.state.order.coupon ?? []).filter((other) => other !== id);
  return { id, object: "coupon", deleted: true };
}
