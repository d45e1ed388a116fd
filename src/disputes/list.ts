import { and, eq, inArray, not, type SQL } from "drizzle-orm";
import { awaitedStatuses, closedStatuses, type disputeStates } from "../core/object-states.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../db/newest-page.ts";
import { disputes } from "../db/schema/disputes.ts";

type DisputeState = (typeof disputeStates)[number];

const { status } = disputes;

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

/** The disputes of a partner, or of several, newest first. A page of a list by state may be short. */
export function listDisputes(data: ListData, list: OwnList, state: DisputeState | undefined) {
  const { createdAt, id } = disputes;
  const isOwn = and(isOwnedBy(disputes.partnerId, list), eq(disputes.environment, list.environment));
  return newestOf(data, list, { isOwn, createdAt, id }, (db) => db.select().from(disputes).$dynamic(), state && hasState(state));
}
