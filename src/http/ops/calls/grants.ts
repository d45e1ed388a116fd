import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { environments } from "../../../core/environment.ts";
import { endGrant } from "../../../grants/admin.ts";
import { type Grant, listGrants } from "../../../grants/store.ts";
import { permissions } from "../../../partners/permissions.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { requirePartner } from "./partners.ts";

const grantAnswer = z.object({
  grant_id: z.string(),
  partner_id: z.string(),
  key_id: z.string().describe("The pasted key; the grant ends with it"),
  client_name: z.string().describe("The name that the agent's host gives itself"),
  client_id: z.string(),
  permissions: z.array(z.enum(permissions)),
  environments: z.array(z.enum(environments)),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("To the minute"),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
});

const timeOrNull = (time: number | null) => (time === null ? null : isoTime(time));

const viewGrant = (grant: Grant) => ({
  grant_id: grant.id,
  partner_id: grant.partnerId,
  key_id: grant.keyId,
  client_name: grant.clientName,
  client_id: grant.clientId,
  permissions: [...grant.permissions],
  environments: [...grant.environments],
  created_at: isoTime(grant.createdAt),
  last_used_at: timeOrNull(grant.lastUsedAt),
  expires_at: isoTime(grant.expiresAt),
  revoked_at: timeOrNull(grant.endedAt),
});

export const grantCalls = [
  defineCall({
    command: "grants list",
    method: "GET",
    path: "/ops/partners/{partner}/grants",
    role: "any",
    summary: "A partner's grants to signed-in agents, including ended ones",
    query: z.object(pageQuery),
    answer: pageOf(grantAnswer),
    example: "acme",
    async run({ deps }, { params, query: { limit, cursor } }) {
      const partner = await requirePartner(deps, params.partner);
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(await listGrants(deps.directory, partner.id, after, limit + 1), limit, viewGrant, ({ id }) => [id]);
    },
  }),
  defineCall({
    command: "grants revoke",
    method: "POST",
    path: "/ops/grants/{grant_id}/revoke",
    role: "admin",
    summary: "Ends an agent's grant, from its next request on; the key keeps working",
    irreversible: "The agent must sign in again.",
    answer: grantAnswer,
    example: "grant_0123…",
    run: async ({ deps, actor }, { params }) =>
      viewGrant(
        (await endGrant(deps, params.grant_id, actor)) ??
          notFound("There is no such grant. `grants list <partner>` shows a partner's grants."),
      ),
  }),
];
