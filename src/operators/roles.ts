/**
 * The roles of operators. `support` helps with single orders: resends events, completes short links. `moderation`
 * manages products. `admin` manages partners, keys and suspensions, erases data, and includes the other roles.
 */
export const roles = ["support", "moderation", "admin"] as const;

export type Role = (typeof roles)[number];

/** The role that a call needs. `any`: every operator may make it. */
export type NeededRole = Role | "any";

/** Whether an operator with these roles may make a call. */
export function mayCall(held: ReadonlySet<Role>, needed: NeededRole): boolean {
  return needed === "any" ? held.size > 0 : held.has(needed) || held.has("admin");
}
