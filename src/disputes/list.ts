import { and, eq, getTableColumns, inArray, not, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { awaitedStatuses, closedStatuses, type disputeStates } from "../core/object-states.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { disputes } from "../db/schema/disputes.ts";
import { amountAsShown, defineSelections, type Selection } from "../db/selection.ts";

type DisputeState = (typeof disputeStates)[number];

const { id, partnerId, environment, status, createdAt } = disputes;

/** SQL condition: the processor's status is one of a state. */
function hasState(state: DisputeState): SQL | undefined {
  switch (state) {
    case "needs_response":
      return inArray(status, [...awaitedStatuses]);
    case "closed":
      return inArray(status, [...closedStatuses]);
    case "under_review":
      return not(inArray(status, [...awaitedStatuses, ...closedStatuses, "won", "lost"]));
    case "won":
    case "lost":
      return eq(status, state);
  }
}

/** Which disputes a person looks for. */
interface DisputeFilter {
  readonly state?: DisputeState | undefined;
  /** Exactly this much is disputed, in minor units. */
  readonly amount?: number | undefined;
}

const isOf = (owner: OwnList["partnerId"], wanted: readonly Environment[]) =>
  and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));

const isWanted = ({ state, amount }: DisputeFilter): SQL | undefined =>
  and(state && hasState(state), amount === undefined ? undefined : eq(disputes.amount, amount));

/** The disputes of a partner, or of several, newest first. All of a partner are in its current cell. A page of a list by state may be short. */
export function listDisputes(data: ListData, list: OwnList, filter: DisputeFilter) {
  const isOwn = isOf(list.partnerId, [list.environment]);
  return newestOf(data, list, { isOwn, createdAt, id }, (db) => db.select().from(disputes).$dynamic(), isWanted(filter));
}

/** Selections of disputes. `amount`: what customers dispute, whatever became of it. */
export const disputeSelections = defineSelections({
  table: disputes,
  id,
  createdAt,
  isOwn: ({ partnerId: owner, environment: only }: Selection<DisputeFilter>) => isOf(owner, only === undefined ? environments : [only]),
  isFiltered: isWanted,
  sorts: { created_at: sql`${createdAt}`, amount: amountAsShown(disputes.amount, disputes.currency) },
  select: (db, value) =>
    db
      .select({ ...getTableColumns(disputes), value })
      .from(disputes)
      .$dynamic(),
  currency: disputes.currency,
  fields: { amount: disputes.amount },
  schema: z.object({ amount: z.int() }),
});
