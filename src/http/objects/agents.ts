import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environments } from "../../core/environment.ts";
import { grantStates, stateOfGrant } from "../../core/object-states.ts";
import { endGrant } from "../../grants/admin.ts";
import { type Grant, grantOf, listGrants, selectGrant } from "../../grants/store.ts";
import { permissions } from "../../partners/permissions.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../calls/paging.ts";
import { defineForBoth, defineForPartner } from "./define.ts";
import { missing } from "./rows.ts";

/** A grant to a signed-in agent. */
const grantView = z.object({
  grant_id: z.string(),
  key_id: z.string().describe("The pasted key; the grant ends with it"),
  client_name: z.string().describe("The name that the agent's host gives itself"),
  client_id: z.string(),
  permissions: z.array(z.enum(permissions)),
  environments: z.array(z.enum(environments)),
  state: z.enum(grantStates).describe("Of the grant itself: a disabled key or person has no access with an active one"),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("To the minute"),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
});

const owned = grantView.extend({ partner_id: z.string() });

const viewGrant = (grant: Grant, now: number): z.input<typeof owned> => ({
  grant_id: grant.id,
  partner_id: grant.partnerId,
  key_id: grant.keyId,
  client_name: grant.clientName,
  client_id: grant.clientId,
  permissions: [...grant.permissions],
  environments: [...grant.environments],
  state: stateOfGrant(grant, now),
  created_at: isoTime(grant.createdAt),
  last_used_at: isoTimeOrNull(grant.lastUsedAt),
  expires_at: isoTime(grant.expiresAt),
  revoked_at: isoTimeOrNull(grant.endedAt),
});

const NO_GRANT = {
  partner: "You have no such grant. `GET /partner/agents` lists the agents that have access.",
  operator: "There is no such grant. `grants list <partner>` shows a partner's grants.",
};

export const agentCalls = [
  defineForPartner({
    method: "GET",
    query: z.object(pageQuery),
    partner: {
      command: "agents list",
      path: "/partner/agents",
      permission: "owner",
      summary: "The agents that signed in with one of your keys, with what they may do, also those whose access has ended",
      answer: pageOf(grantView),
      example: "",
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
      return cutPage(
        found,
        limit,
        (grant) => viewGrant(grant, deps.clock.now()),
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
      example: "grant_0123…",
    },
    async run(asker, { params: { grant } }) {
      const { deps, actor, partner } = asker;
      const [known] = await selectGrant(deps.directory, grant);
      if (known === undefined || (partner !== null && known.partnerId !== partner.caller.partnerId)) return missing(asker, NO_GRANT);
      return viewGrant((await endGrant(deps, grant, actor)) ?? grantOf(known), deps.clock.now());
    },
  }),
];
