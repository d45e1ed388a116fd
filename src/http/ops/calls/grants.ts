import * as z from "zod";
import { endGrant } from "../../../grants/admin.ts";
import { type Grant, listGrants } from "../../../grants/store.ts";
import { grantAnswer, viewGrant } from "../../calls/grant-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { requirePartner } from "./partners.ts";

const ownedGrant = grantAnswer.extend({ partner_id: z.string() });

const viewOwned = (grant: Grant) => ({ ...viewGrant(grant), partner_id: grant.partnerId });

export const grantCalls = [
  defineCall({
    command: "grants list",
    method: "GET",
    path: "/ops/partners/{partner}/grants",
    role: "any",
    summary: "A partner's grants to signed-in agents, including ended ones",
    query: z.object(pageQuery),
    answer: pageOf(ownedGrant),
    example: "acme",
    async run({ deps }, { params, query: { limit, cursor } }) {
      const partner = await requirePartner(deps, params.partner);
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(await listGrants(deps.directory, partner.id, after, limit + 1), limit, viewOwned, ({ id }) => [id]);
    },
  }),
  defineCall({
    command: "grants revoke",
    method: "POST",
    path: "/ops/grants/{grant_id}/revoke",
    role: "admin",
    summary: "Ends an agent's grant, from its next request on; the key keeps working",
    irreversible: "The agent must sign in again.",
    answer: ownedGrant,
    example: "grant_0123…",
    run: async ({ deps, actor }, { params }) =>
      viewOwned(
        (await endGrant(deps, params.grant_id, actor)) ??
          notFound("There is no such grant. `grants list <partner>` shows a partner's grants."),
      ),
  }),
];
