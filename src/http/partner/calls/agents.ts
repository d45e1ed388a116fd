import * as z from "zod";
import { endGrant } from "../../../grants/admin.ts";
import { listGrants, selectGrant } from "../../../grants/store.ts";
import { grantAnswer, viewGrant } from "../../calls/grant-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { definePartnerCall } from "../define-call.ts";

const noGrant = () => notFound("You have no such grant. `GET /partner/agents` lists the agents that have access.");

export const agentCalls = [
  definePartnerCall({
    command: "agents list",
    method: "GET",
    path: "/partner/agents",
    permission: "owner",
    summary: "The agents that signed in with one of your keys, with what they may do, also those whose access has ended",
    query: z.object(pageQuery),
    answer: pageOf(grantAnswer),
    example: "",
    async run({ deps, caller }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(await listGrants(deps.directory, caller.partnerId, after, limit + 1), limit, viewGrant, ({ id }) => [id]);
    },
  }),
  definePartnerCall({
    command: "agents revoke",
    method: "POST",
    path: "/partner/agents/{grant}/revoke",
    permission: "owner",
    isBounded: true,
    summary: "Ends an agent's access, from its next request on; the key keeps working",
    irreversible: "The agent must sign in again.",
    answer: grantAnswer,
    example: "grant_0123…",
    async run({ deps, caller, actor }, { params }) {
      const [known] = await selectGrant(deps.directory, params.grant);
      if (known?.partnerId !== caller.partnerId) return noGrant();
      return viewGrant((await endGrant(deps, params.grant, actor)) ?? noGrant());
    },
  }),
];
