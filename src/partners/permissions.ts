/** What a key may be allowed to do (interface, "Authentication", point 7). */
export const permissions = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config"] as const;

export type Permission = (typeof permissions)[number];

/** Whether a stored text names a permission of today. */
export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}
