/** The permissions of API keys (interface K.5). */
export const permissions = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config"] as const;

export type Permission = (typeof permissions)[number];

/** Whether a stored text is a current permission. */
export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}

/**
 * What a person or a key may have: the permissions, and `owner`, which manages the partner's keys and people. No
 * operation of the interface needs `owner`.
 */
export const rights = [...permissions, "owner"] as const;

export type Right = (typeof rights)[number];

/** Whether a stored text is a current right. */
export function isRight(text: string): text is Right {
  return (rights as readonly string[]).includes(text);
}

/**
 * The rights that a holder may not give: those that it does not have itself. `before` are the rights that the receiver
 * already has, which anyone may leave in place.
 */
export function rightsBeyond(own: ReadonlySet<Right>, wanted: readonly Right[], before: readonly Right[] = []): readonly Right[] {
  return wanted.filter((right) => !own.has(right) && !before.includes(right));
}
