import { html } from "hono/html";
import { isActive } from "../processor/promotions.ts";
import { findObject, listObjects, type World } from "../world.ts";
import { code, environment, listing, type Section, words } from "./tables.ts";

/** Promotion codes with their discounts. A customer enters them at the checkout. */
export function promotionCodes(world: World): Section {
  const about = {
    id: "codes",
    title: "Promotion codes",
    head: ["Code", "Takes off", "Products", "Environment", "Used", "State"],
    none: html`None yet. <a href="${world.edge}/docs/first-generation">How to make one</a>.`,
  };
  return listing(about, listObjects(world, "promotion_code"), (promotion) => {
    const coupon = findObject(world, (promotion.promotion as { coupon: string }).coupon);
    const { products } = (coupon?.applies_to ?? { products: [] }) as { products: string[] };
    const most = promotion.max_redemptions === null ? "" : ` of ${words(promotion.max_redemptions)}`;
    return [
      code(promotion.code),
      `${words(coupon?.percent_off)} %, ${words(coupon?.duration)}`,
      products.map((id) => words(findObject(world, id)?.name) || id).join(", ") || "all",
      environment(promotion),
      `${words(promotion.times_redeemed)}${most}`,
      isActive(world, promotion) ? "active" : "not active",
    ];
  });
}
