import * as z from "zod";
import { isoTimeOrNull } from "../../core/clock.ts";
import { type Environment, environmentSchema, environments } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { linkCurrencies, toMajorUnits } from "../../core/money.ts";
import { grantStates, stateOfGrant } from "../../core/object-states.ts";
import type { Deps } from "../../deps.ts";
import { endGrant } from "../../grants/admin.ts";
import { type ConfirmationRule, setConfirmationRule } from "../../grants/confirmation-rules.ts";
import { type Grant, grantOf, listGrants, selectGrant } from "../../grants/store.ts";
import { findListedKey, findListedKeys, type ListedKey } from "../../partners/admin/keys.ts";
import { permissions } from "../../partners/permissions.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../calls/paging.ts";
import { CallRefusal } from "../calls/refusal.ts";
import { requireFreshPasskey } from "../partner/access.ts";
import { dashboardOf } from "../partner/dashboard-origin.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth, defineForPartner } from "./define.ts";
import { ownerField, seenBy } from "./rows.ts";

/** The currencies of what agents can make. */
const soldIn = [...linkCurrencies, "RUB"] as const;

const ruleView = z.object({
  environment: environmentSchema,
  demand: z.enum(["all", "over"]),
  amount: z.int().nullable().describe("With over: the largest amount that does not wait, in minor units"),
  major_amount: z.number().nullable().describe("The same in major units"),
  currency: z.string().nullable().describe("With over: creations in another currency, or without a price, wait too"),
});

/** A grant to a signed-in agent. */
const grantView = z.object({
  grant_id: z.string(),
  key_id: z.string().describe("The pasted key; the grant ends with it"),
  client_name: z.string().describe("The name that the agent's host gives itself"),
  client_id: z.string(),
  permissions: z.array(z.enum(permissions)),
  environments: z.array(z.enum(environments)),
  confirmations: z
    .array(ruleView)
    .describe("Which of its creations wait for a person, by environment; none of an environment that is missing"),
  state: z.enum(grantStates).describe("`disabled`: its key does not work"),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("To the minute"),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
});

const owned = grantView.extend(ownerField);

const fieldsOf = wire(owned);

const viewGrant = (grant: Grant, key: ListedKey | undefined, now: number): z.input<typeof owned> => ({
  ...fieldsOf(grant),
  grant_id: grant.id,
  permissions: [...grant.permissions],
  environments: [...grant.environments],
  confirmations: environments.flatMap((environment) => viewRule(environment, grant.confirmations[environment])),
  state: stateOfGrant(grant, key, now),
  revoked_at: isoTimeOrNull(grant.endedAt),
});

function viewRule(environment: Environment, rule: ConfirmationRule | undefined): z.input<typeof ruleView>[] {
  if (rule === undefined) return [];
  return [
    rule.demand === "all"
      ? { environment, demand: rule.demand, amount: null, major_amount: null, currency: null }
      : { environment, ...rule, major_amount: toMajorUnits(rule.amount, rule.currency) },
  ];
}

const ruleBody = z.strictObject({
  environment: environmentSchema,
  demand: z.enum(["none", "all", "over"]).describe("Which creations wait for a person: none, all, or those over an amount"),
  amount: z.int().min(0).max(limits.bankCart.maxTotal).optional().describe("With over: in minor units, 50000 is 500.00"),
  currency: z.enum(soldIn).optional().describe("With over: creations in another currency, or without a price, wait too"),
});

/** @throws ServiceFailure `invalid_input` for an amount without `over`, or `over` without amount and currency */
function ruleOf({ demand, amount, currency }: z.output<typeof ruleBody>): ConfirmationRule | null {
  if (demand !== "over" && amount !== undefined) rejectInput("amount: is only taken with the demand over", "amount");
  if (demand !== "over" && currency !== undefined) rejectInput("currency: is only taken with the demand over", "currency");
  if (demand !== "over") return demand === "none" ? null : { demand };
  if (amount === undefined) rejectInput("amount: is needed with the demand over", "amount");
  if (currency === undefined) rejectInput("currency: is needed with the demand over", "currency");
  return { demand, amount, currency };
}

/** The grant, if the asker may see it. @throws CallRefusal 404 */
const requireGrant = async (asker: Asker, id: string) => grantOf(seenBy(asker, (await selectGrant(asker.deps.directory, id))[0], NO_GRANT));

const viewOne = async ({ directory, clock }: Pick<Deps, "clock" | "directory">, grant: Grant) =>
  viewGrant(grant, await findListedKey(directory, grant.keyId), clock.now());

/** @throws CallRefusal 403 */
function refuseKey(): never {
  throw new CallRefusal(403, "A key can only have everything wait (`all`). A signed-in person can set the rest.");
}

const NO_GRANT = {
  partner: "You have no such grant. `GET /partner/agents` lists the agents that have access.",
  operator: "There is no such grant. `grants list <partner>` shows a partner's grants.",
};

export const agentCalls = [
  defineForPartner({
    query: z.object(pageQuery),
    partner: {
      command: "agents list",
      path: "/partner/agents",
      permission: "owner",
      summary: "The agents that signed in with one of your keys, with what they may do, also those whose access has ended",
      answer: pageOf(grantView),
    },
    operator: {
      command: "grants list",
      path: "/ops/partners/{partner}/grants",
      role: "any",
      summary: "A partner's grants to signed-in agents, including ended ones",
      answer: pageOf(owned),
      example: "acme",
    },
    async run({ deps, partnerId }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const found = await listGrants(deps.directory, partnerId, after, limit + 1);
      const keys = await findListedKeys(
        deps.directory,
        found.map(({ keyId }) => keyId),
      );
      return cutPage(
        found,
        limit,
        (grant) => viewGrant(grant, keys.get(grant.keyId), deps.clock.now()),
        ({ id }) => [id],
      );
    },
  }),
  defineForBoth({
    method: "POST",
    irreversible: "The agent must sign in again.",
    partner: {
      command: "agents revoke",
      path: "/partner/agents/{grant}/revoke",
      permission: "owner",
      isBounded: true,
      summary: "Ends an agent's access, from its next request on; the key keeps working",
      answer: grantView,
      example: "grant_0123…",
    },
    operator: {
      command: "grants revoke",
      path: "/ops/grants/{grant}/revoke",
      role: "admin",
      summary: "Ends an agent's grant, from its next request on; the key keeps working",
      answer: owned,
    },
    async run(asker, { params: { grant } }) {
      const { deps, actor } = asker;
      const known = await requireGrant(asker, grant);
      return viewOne(deps, (await endGrant(deps, grant, actor)) ?? known);
    },
  }),
  defineForBoth({
    method: "PUT",
    body: ruleBody,
    partner: {
      command: "agents confirm",
      path: "/partner/agents/{grant}/confirmations",
      permission: "owner",
      summary: "Says which creations of an agent wait until a person has confirmed them, from its next request on; a key says only `all`",
      answer: grantView,
      example: "grant_0123… --environment live --demand all",
    },
    operator: {
      command: "grants confirm",
      path: "/ops/grants/{grant}/confirmations",
      role: "admin",
      summary: "Says which creations of a partner's agent wait until a person of the partner has confirmed them",
      answer: owned,
      example: "grant_0123… --environment live --demand all",
    },
    async run(asker, { params: { grant }, body }) {
      const { deps, actor, partner } = asker;
      const known = await requireGrant(asker, grant);
      const rule = ruleOf(body);
      // People confirm in the dashboard.
      if (rule !== null) dashboardOf(deps.settings);
      // A rule that is loosened lets the agent make what it waited for, and an agent may hold a key.
      if (partner?.signedIn === null && body.demand !== "all") refuseKey();
      if (partner !== null) requireFreshPasskey(partner.signedIn, deps.clock);
      const confirmations = await setConfirmationRule(deps, known, body.environment, rule, actor);
      return viewOne(deps, { ...known, confirmations });
    },
  }),
];
