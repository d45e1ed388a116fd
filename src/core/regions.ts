/** Regions where the platform can make databases, and objects beside them (its location hints). */
export const regions = ["weur", "eeur", "apac", "oc", "wnam", "enam"] as const;

export type Region = (typeof regions)[number];
