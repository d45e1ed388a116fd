import type { Permission } from "../partners/permissions.ts";

/** What an agent can be given, in the words of the page; what only looks first. No tool needs another permission. */
export const OFFERED = {
  balance_view: "See what was paid, refunded and disputed",
  products_view: "See live payment links",
  product_create: "Make payment links and promotion codes",
  bank_payment: "Make ruble payments",
  webhook_config: "Change where events go, and read their signing secrets",
} as const satisfies Partial<Record<Permission, string>>;

export type OfferedPermission = keyof typeof OFFERED;

/** What an agent gets where nobody ticks or unticks anything, and the agent asked for nothing in particular. */
export const ONLY_LOOKS: readonly OfferedPermission[] = ["balance_view", "products_view"];

/** Whether a text that was sent is a permission that agents can be given. */
export function isOffered(text: string): text is OfferedPermission {
  return Object.hasOwn(OFFERED, text);
}
