import * as z from "zod";
import { environmentSchema } from "../../../core/environment.ts";
import type { CellDeps, Deps } from "../../../deps.ts";
import { reachableCells } from "../../../partners/list-of-all.ts";
import { allLocations } from "../../../partners/location-store.ts";
import { findSubscription, listSubscriptions, mergeById, type SubscriptionRow } from "../../../subscriptions/list-subscriptions.ts";
import { listOf } from "../../calls/lists.ts";
import { subscriptionView, viewSubscription } from "../../calls/object-views.ts";
import { encodeCursor, keyIn, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { requireLocation } from "./partners.ts";

const ownedSubscription = subscriptionView.extend({ partner_id: z.string().nullable() });

const viewOwned = (row: SubscriptionRow) => ({ ...viewSubscription(row), partner_id: row.partnerId });

/** The cells that have the listed subscriptions: a partner's current one, or all. @throws CallRefusal 404 */
async function cellsOf(deps: Deps, partner: string | undefined): Promise<readonly CellDeps[]> {
  return partner === undefined ? deps.everyCell() : [deps.ofPartner(await requireLocation(deps, partner))];
}

export const subscriptionCalls = [
  defineCall({
    command: "subscriptions list",
    method: "GET",
    path: "/ops/subscriptions",
    role: "any",
    summary: "Subscriptions with their status, in the order of their ids: of a partner, or of all",
    query: z.object({
      partner: z.string().optional(),
      environment: environmentSchema.default("live"),
      status: z.string().min(1).optional().describe("Only with this status of the processor"),
      ...pageQuery,
    }),
    answer: listOf(ownedSubscription),
    example: "--partner acme --status past_due",
    async run({ deps }, { query: { partner, limit, cursor, environment, status } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const data = reachableCells(deps, await cellsOf(deps, partner));
      const locations = await allLocations(deps.directory);
      const pages = await data.each(async ({ db, databaseName }) => {
        const page = await listSubscriptions(db, { partnerId: partner ?? null, environment, status, after, limit: limit + 1 });
        // A move's copy is in another cell than its partner.
        const isCurrent = ({ partnerId }: SubscriptionRow) => partnerId === null || locations.get(partnerId)?.cell === databaseName;
        return { ...page, rows: page.rows.filter(isCurrent) };
      });
      const { rows, next } = mergeById(pages, limit);
      return { data: rows.map(viewOwned), next: next === null ? null : encodeCursor([next]) };
    },
  }),
  defineCall({
    command: "subscriptions show",
    method: "GET",
    path: "/ops/subscriptions/{id}",
    role: "any",
    summary: "One subscription",
    answer: ownedSubscription,
    example: "sub_0123…",
    async run({ deps }, { params }) {
      const known = await deps.findAnywhere(async ({ db }) => {
        const row = await findSubscription(db, params.id);
        return row === undefined ? undefined : { ...row, owner: row.partnerId, partnerId: row.partnerId ?? "" };
      });
      const found = known === null ? undefined : { ...known.found, partnerId: known.found.owner };
      return viewOwned(found ?? notFound("There is no such subscription here. `ledger refresh` asks the processor for it."));
    },
  }),
];
