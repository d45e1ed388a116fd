/** The permissions of API keys (interface K.5). */
export const permissions = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config"] as const;

export type Permission = (typeof permissions)[number];

/** Whether a stored text is a current permission. */
export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}
