/** The maximum size of a database in bytes: the platform's limit for D1. */
export const DATABASE_BYTES = 10_000_000_000;

/** At this size an operator is alerted, and new partners go to other cells if one has room. */
export const NEARLY_FULL = 0.8 * DATABASE_BYTES;
