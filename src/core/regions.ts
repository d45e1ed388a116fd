/** Regions where the platform can create databases and Durable Objects near them (its location hints). */
export const regions = ["weur", "eeur", "apac", "oc", "wnam", "enam"] as const;

export type Region = (typeof regions)[number];
