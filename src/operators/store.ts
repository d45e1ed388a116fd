import { asc, eq, gt, like, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow, targetsChangedFrom } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { DAY } from "../core/clock.ts";
import { parseJson } from "../core/json.ts";
import type { Directory, InDirectory } from "../db/client.ts";
import { operators } from "../db/schema/operators.ts";
import { type Role, roles } from "./roles.ts";

/** A person who may operate the service. */
export interface Operator {
  /** The address of the sign-in, in lower case. */
  readonly email: string;
  readonly roles: readonly Role[];
  readonly createdAt: number;
}

const rolesSchema = z.array(z.enum(roles));

function operatorOf({ email, roles: held, createdAt }: typeof operators.$inferSelect): Operator {
  return { email, roles: parseJson(rolesSchema, held), createdAt };
}

/** The operators in the order of their addresses, after a given one. */
export async function listOperators(directory: Directory, after: string, limit: number): Promise<Operator[]> {
  const rows = await directory.select().from(operators).where(gt(operators.email, after)).orderBy(asc(operators.email)).limit(limit).all();
  return rows.map(operatorOf);
}

/** How long a person whose role was taken still counts as an admin: who takes it must not thereby be the only one. */
const ROLE_COUNTS = 7 * DAY;

/** How many persons have the role of an admin, or had it in the last seven days. Two round trips. */
export async function countAdmins({ directory, clock }: InDirectory): Promise<number> {
  const { email, roles: held } = operators;
  const ofNow = await directory.select({ email }).from(operators).where(like(held, ADMIN)).all();
  const ofLate = await targetsChangedFrom(directory, "operator.set_roles", ADMIN, clock.now() - ROLE_COUNTS);
  return new Set([...ofNow.map((one) => one.email), ...ofLate]).size;
}

const ADMIN = '%"admin"%';

/** Undefined for a person without a role. One round trip. */
export async function findOperator(directory: Directory, email: string): Promise<Operator | undefined> {
  const row = await directory.select().from(operators).where(eq(operators.email, email.toLowerCase())).get();
  return row && operatorOf(row);
}

/** Sets the roles of a person, from the next request on. An empty list removes the operator. */
export async function setRoles({ directory, clock }: InDirectory, email: string, wanted: readonly Role[], actor: Actor): Promise<void> {
  const now = clock.now();
  const id = email.toLowerCase();
  const before = (await findOperator(directory, id))?.roles ?? [];
  const after = roles.filter((role) => wanted.includes(role));
  const held = JSON.stringify(after);
  if (held === JSON.stringify(before)) return;
  const entry = {
    actor,
    action: "operator.set_roles" as const,
    target: id,
    before: sql`(SELECT json_object('roles', json(roles)) FROM ${operators} WHERE email = ${id})`,
    after: { roles: wanted },
  };
  await directory.batch([
    auditRow(directory, entry, now),
    wanted.length === 0
      ? directory.delete(operators).where(eq(operators.email, id))
      : directory
          .insert(operators)
          .values({ email: id, roles: held, createdAt: now, updatedAt: now })
          .onConflictDoUpdate({ target: operators.email, set: { roles: held, updatedAt: now } }),
  ]);
}
