/**
 * What a person may do for the service. `support` helps with single orders: sends events again, completes short links.
 * `moderation` sees to products. `admin` sees to partners, keys and suspensions, erases, and may do all the others may.
 */
export const roles = ["support", "moderation", "admin"] as const;

export type Role = (typeof roles)[number];

/** The role that a call needs. `any`: everybody who operates may look. */
export type NeededRole = Role | "any";

/** Whether somebody with these roles may make a call. */
export function mayCall(held: ReadonlySet<Role>, needed: NeededRole): boolean {
  return needed === "any" ? held.size > 0 : held.has(needed) || held.has("admin");
}
