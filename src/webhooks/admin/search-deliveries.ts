import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Environment, environments } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";
import { isOwnedIn, type OwnList } from "../../db/newest-page.ts";
import { events } from "../../db/schema/webhooks.ts";
import { countedAlone, defineSelections, type Whose } from "../../db/selection.ts";
import { type DeliveryState, isInState } from "../endpoints/delivery-state.ts";
import { shownColumns } from "./store.ts";

/** Which deliveries to list; undefined: of any state, of any event. */
export interface DeliveryFilter {
  readonly state: DeliveryState | undefined;
  /** The event's name. */
  readonly name: string | undefined;
  /** The code of a further endpoint; left out: the first one, which has all events. */
  readonly code?: string | undefined;
}

/** The states with an index of their own by time. */
const INDEXED: readonly DeliveryState[] = ["exhausted", "suspended"];

/** SQL condition: the delivery goes to an endpoint of these partners and environments, and has a state that an index has. */
const isOf = (owner: OwnList["partnerId"], wanted: readonly Environment[], { code, state }: DeliveryFilter): SQL | undefined =>
  and(
    isOwnedIn(events.endpointId, owner, wanted, (partner, environment) => endpointIdOf(partner, environment, code)),
    state !== undefined && INDEXED.includes(state) ? isInState(state) : undefined,
  );

/** SQL condition: what no index finds. */
const conditionOf = ({ state, name }: DeliveryFilter): SQL | undefined =>
  and(
    state === undefined || INDEXED.includes(state) ? undefined : eq(events.state, state),
    name === undefined ? undefined : eq(events.name, name),
  );

const COLUMNS = { ...shownColumns, id: shownColumns.deliveryId };

/** The list of deliveries. */
export const deliverySelections = defineSelections({
  table: events,
  id: events.id,
  createdAt: events.createdAt,
  isOwn: ({ partnerId, environment: only, filter }: Whose<DeliveryFilter>) =>
    isOf(partnerId, only === undefined ? environments : [only], filter),
  isFiltered: conditionOf,
  sorts: { created_at: sql`${events.createdAt}` },
  columns: COLUMNS,
  ...countedAlone,
});
