/** What a database holds at most, in bytes: the platform's limit for D1. */
export const DATABASE_BYTES = 10_000_000_000;

/** An operator is alerted to a database that is so full; such a cell takes no new partner while another is not. */
export const NEARLY_FULL = 0.8 * DATABASE_BYTES;
