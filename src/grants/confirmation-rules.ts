import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { type Environment, environmentSchema } from "../core/environment.ts";
import type { Preview } from "../core/preview.ts";
import type { InDirectory } from "../db/client.ts";
import { grants } from "../db/schema/grants.ts";
import { endWaiting } from "./end-waiting.ts";

/**
 * Which changes of an agent wait for a person. `all`: each. `over`: each above an amount of minor units in one currency, and each that
 * has no price in that currency, since nothing says how much it is.
 */
const confirmationRuleSchema = z.discriminatedUnion("demand", [
  z.object({ demand: z.literal("all") }),
  z.object({ demand: z.literal("over"), amount: z.int().min(0), currency: z.string() }),
]);

export const confirmationRulesSchema = z.partialRecord(environmentSchema, confirmationRuleSchema);

export type ConfirmationRule = z.infer<typeof confirmationRuleSchema>;
/** The rule of each environment; absent: nothing waits. */
export type ConfirmationRules = z.infer<typeof confirmationRulesSchema>;

/** Whether what a request would make waits for a person. */
export function isHeld(rules: ConfirmationRules, { environments, price }: Pick<Preview, "environments" | "price">): boolean {
  return environments.some((environment) => {
    const rule = rules[environment];
    if (rule === undefined) return false;
    return rule.demand === "all" || price === null || price.currency !== rule.currency || price.amount > rule.amount;
  });
}

/** Sets the rule of one environment of a grant, and leaves the other's; null: nothing waits any more, nor what waits already. */
export async function setConfirmationRule(
  { directory, clock }: InDirectory,
  grant: { readonly id: string; readonly partnerId: string; readonly confirmations: ConfirmationRules },
  environment: Environment,
  rule: ConfirmationRule | null,
  actor: Actor,
): Promise<ConfirmationRules> {
  const { [environment]: before = null, ...others } = grant.confirmations;
  const path = `$.${environment}`;
  const { confirmations } = grants;
  const changed =
    rule === null ? sql`json_remove(${confirmations}, ${path})` : sql`json_set(${confirmations}, ${path}, json(${JSON.stringify(rule)}))`;
  const entry = {
    actor,
    action: "grant.set_confirmations" as const,
    target: grant.id,
    partnerId: grant.partnerId,
    before: { environment, rule: before },
    after: { environment, rule },
  };
  await directory.batch([
    auditRow(directory, entry, clock.now()),
    directory.update(grants).set({ confirmations: changed }).where(eq(grants.id, grant.id)),
    ...(rule === null ? [endWaiting(directory, grant.id, clock.now(), Object.keys(others))] : []),
  ]);
  return rule === null ? others : { ...others, [environment]: rule };
}
