import type { ProcessorObject } from "../state.ts";
import { findObject, listObjects, nowInSeconds, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { addMonths } from "./period.ts";
import { isActive, isSameCode } from "./promotions.ts";

export interface Discount {
  readonly code: ProcessorObject;
  readonly coupon: ProcessorObject;
  /** Minor units off the link's total. */
  readonly off: number;
  /** Unix seconds: periods that start before then have it. Null: without end. */
  readonly until: number | null;
}

const refused = (why: string) => invalidRequest(why, "promotion_code");

/** The discount of a promotion code on a link. @throws ProcessorError if a customer cannot use it there */
export function discountOf(world: World, link: ProcessorObject, text: string): Discount {
  if (link.allow_promotion_codes !== true) throw refused("This link takes no promotion codes.");
  const named = listObjects(world, "promotion_code").filter((one) => one.livemode === link.livemode && isSameCode(one.code, text.trim()));
  const code = named.find((one) => isActive(world, one)) ?? named[0];
  const coupon = findObject(world, (code?.promotion as { coupon?: string } | undefined)?.coupon);
  if (code === undefined || coupon === undefined) throw refused("There is no such promotion code.");
  if (!isActive(world, code)) throw refused("This promotion code is not active any more.");
  for (const limited of [code, coupon])
    if (limited.max_redemptions !== null && Number(limited.times_redeemed) >= Number(limited.max_redemptions))
      throw refused("This promotion code was used as often as it may be.");
  if (coupon.redeem_by !== null && Number(coupon.redeem_by) <= nowInSeconds(world)) throw refused("This promotion code has ended.");
  const { products } = coupon.applies_to as { products: string[] };
  const discounted = (world.state.lines[link.id] ?? []).filter(
    ({ price }) => products.length === 0 || products.includes((price as { product: string }).product),
  );
  if (discounted.length === 0) throw refused("This promotion code is for other products.");
  const sum = discounted.reduce((total, line) => total + Number(line.amount_total), 0);
  return { code, coupon, off: Math.round((sum * Number(coupon.percent_off)) / 100), until: endOf(world, coupon) };
}

/** A customer has paid with the code. */
export function redeem({ code, coupon }: Discount): void {
  for (const used of [code, coupon]) used.times_redeemed = Number(used.times_redeemed) + 1;
}

function endOf(world: World, coupon: ProcessorObject): number | null {
  if (coupon.duration === "forever") return null;
  const end = new Date(nowInSeconds(world) * 1000);
  if (coupon.duration === "repeating") addMonths(end, Number(coupon.duration_in_months), end.getUTCDate());
  // A one-time discount ends with the current period.
  return Math.floor(end.getTime() / 1000) + (coupon.duration === "once" ? 1 : 0);
}
