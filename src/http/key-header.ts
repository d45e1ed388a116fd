/** The header that carries a partner's key. */
export const KEY_HEADER = "X-Partner-Api-Key";
