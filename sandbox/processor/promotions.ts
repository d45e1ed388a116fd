import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, listObjects, nowInSeconds, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, list, text } from "./form.ts";
import { requireProduct } from "./prices.ts";

const MAX_NAME = 40;

/** `POST /v1/coupons`. */
export function createCoupon(world: World, form: Form, livemode: boolean): ProcessorObject {
  const percent = text(form, "percent_off");
  if (percent !== null && form.amount_off !== undefined) {
    throw invalidRequest("You may only specify one of these parameters: percent_off, amount_off.", undefined, "parameters_exclusive");
  }
  const percentOff = Number(percent ?? Number.NaN);
  if (!(percentOff > 0 && percentOff <= 100)) throw invalidRequest("percent_off must be between 0 and 100.", "percent_off");
  const name = text(form, "name") ?? "";
  if (name.length > MAX_NAME) throw invalidRequest(`Invalid string: must be at most ${MAX_NAME} characters`, "name");
  const ownId = text(form, "id");
  const duration = text(form, "duration") ?? "once";
  const months = integer(form, "duration_in_months");
  if ((duration === "repeating") !== (months !== null && months >= 1)) {
    throw invalidRequest("duration_in_months must be given, and be positive, if and only if duration is repeating.", "duration_in_months");
  }
  requirePositive(form, "max_redemptions");
  const products = list(branch(form, "applies_to"), "products").map(String);
  for (const [index, product] of products.entries()) requireProduct(world, product, livemode, `applies_to[products][${index}]`);
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
  requirePositive(form, "max_redemptions");
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

function requirePositive(form: Form, field: string): void {
  const given = integer(form, field);
  if (given !== null && given < 1) throw invalidRequest("This value must be greater than or equal to 1.", field);
}

/** Whether customers can use a code. A code can expire without an update. */
export function isActive(world: World, code: ProcessorObject): boolean {
  return code.active === true && (code.expires_at === null || Number(code.expires_at) > nowInSeconds(world));
}

export function isSameCode(one: unknown, other: string): boolean {
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
