import type { Permission } from "../partners/permissions.ts";

/**
 * The permissions that an agent can get, with the words of the consent page; reading ones come first. No tool needs
 * another permission.
 */
export const OFFERED = {
  balance_view: "See what was paid, refunded and disputed",
  products_view: "See live payment links",
  product_create: "Make payment links and promotion codes",
  bank_payment: "Make ruble payments",
  webhook_config: "Change where events go, and read their signing secrets",
} as const satisfies Partial<Record<Permission, string>>;

export type OfferedPermission = keyof typeof OFFERED;

/** The permissions that are ticked by default, if the agent did not ask for particular ones. */
export const ONLY_LOOKS: readonly OfferedPermission[] = ["balance_view", "products_view"];

/** Whether a text is a permission that agents can get. */
export function isOffered(text: string): text is OfferedPermission {
  return Object.hasOwn(OFFERED, text);
}
