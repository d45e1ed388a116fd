import { and, eq, getTableColumns, inArray, not, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { awaitedStatuses, closedStatuses, type disputeStates } from "../core/object-states.ts";
import { isOwnedBy, type OwnList } from "../db/newest-page.ts";
import { disputes } from "../db/schema/disputes.ts";
import { amountAsShown, defineSelections, isShownAs, type Whose } from "../db/selection.ts";

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
  /** Exactly this much is disputed, as it is shown, in major units. */
  readonly amount?: number | undefined;
}

const isOf = (owner: OwnList["partnerId"], wanted: readonly Environment[]) =>
  and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));

const isWanted = ({ state, amount }: DisputeFilter): SQL | undefined =>
  and(state && hasState(state), amount === undefined ? undefined : isShownAs(disputes.amount, disputes.currency, amount));

/** The list of disputes. All of a partner are in its current cell. `amount`: what customers dispute, whatever became of it. */
export const disputeSelections = defineSelections({
  table: disputes,
  id,
  createdAt,
  isOwn: ({ partnerId: owner, environment: only }: Whose<DisputeFilter>) => isOf(owner, only === undefined ? environments : [only]),
  isFiltered: isWanted,
  sorts: {
    created_at: sql`${createdAt}`,
    amount: amountAsShown(disputes.amount, disputes.currency),
    // What takes no evidence stands at the end.
    evidence_due_by: (isDescending) => sql`COALESCE(${disputes.evidenceDueBy}, ${isDescending ? 0 : Number.MAX_SAFE_INTEGER})`,
  },
  columns: getTableColumns(disputes),
  environment: disputes.environment,
  currency: disputes.currency,
  fields: { amount: disputes.amount },
  schema: z.object({ amount: z.int() }),
});
