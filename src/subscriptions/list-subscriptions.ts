import { and, eq, getTableColumns, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { chargedStatuses, endedStatuses } from "../core/object-states.ts";
import { type Cell, type Database, inList } from "../db/client.ts";
import { isAnyOf, isOwnedBy, type OwnList } from "../db/newest-page.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";
import { amountAsShown, defineSelections, isShownAs, type Whose } from "../db/selection.ts";
import { INTERVALS_A_YEAR, payingStatuses } from "./items.ts";

export type SubscriptionRow = Omit<typeof subscriptions.$inferSelect, "recordedEvents">;

const { id, partnerId, environment, status, startedAt, cancelAtPeriodEnd, cancelAt } = subscriptions;
const { amount, currency, interval, intervalCount, currentPeriodEnd, collectionPaused } = subscriptions;
const { recordedEvents: _, ...COLUMNS } = getTableColumns(subscriptions);

/** Which subscriptions a person looks for; a field that is undefined does not restrict the list. */
export interface SubscriptionFilter {
  /** The processor's status. */
  readonly status?: string | undefined;
  /** As `stateOfSubscription` says it. */
  readonly state?: string | undefined;
  /** This id, in any case. */
  readonly anyCase?: string | undefined;
  /** Exactly what one period costs, as it is shown, in major units. */
  readonly amount?: number | undefined;
}

const isOf = (owner: OwnList["partnerId"], wanted: readonly Environment[]) =>
  and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));

/** SQL for the state `ending`. */
const isEnding = sql`(${notInArray(status, [...endedStatuses])} AND (${cancelAtPeriodEnd} OR ${cancelAt} IS NOT NULL))`;

function conditionOf({ status: wanted, state, anyCase, amount: price }: SubscriptionFilter): SQL | undefined {
  const isOfState = state === "ending" ? isEnding : sql`(${status} = ${state} AND NOT ${isEnding})`;
  return and(
    wanted === undefined ? undefined : eq(status, wanted),
    state === undefined ? undefined : isOfState,
    anyCase === undefined ? undefined : isAnyOf(anyCase, id),
    price === undefined ? undefined : isShownAs(amount, currency, price),
  );
}

/** SQL for `yearlyOf` and `isPaying` (items.ts): what a subscription brings a year. */
const BROUGHT = sql`CASE WHEN ${inArray(status, [...payingStatuses])} THEN ${amount} * CASE ${interval} ${sql.join(
  Object.entries(INTERVALS_A_YEAR).map(([name, times]) => sql.raw(`WHEN '${name}' THEN ${times}.0`)),
  sql` `,
)} END / ${intervalCount} END`;

/** SQL for `nextChargeOf`, or else for `endOfSubscription` (core/object-states.ts); where nothing follows, a value behind all times. */
const nextAt = (isDescending: boolean) => sql<number>`COALESCE(
  CASE WHEN ${inArray(status, [...chargedStatuses])} AND NOT ${collectionPaused}
    THEN MIN(COALESCE(${cancelAt}, ${currentPeriodEnd}), ${currentPeriodEnd}) END,
  CASE WHEN ${isEnding} THEN COALESCE(${cancelAt}, ${currentPeriodEnd}) END,
  ${isDescending ? 0 : Number.MAX_SAFE_INTEGER})`;

/**
 * The list of subscriptions. All of a partner are in its current cell. `next_at`: when one is charged, or ends, next; those that have ended
 * come last. `yearly`: what they bring a year, in minor units and parts of them.
 */
export const subscriptionSelections = defineSelections({
  table: subscriptions,
  id,
  createdAt: startedAt,
  isOwn: ({ partnerId: owner, environment: only }: Whose<SubscriptionFilter>) => isOf(owner, only === undefined ? environments : [only]),
  isFiltered: conditionOf,
  sorts: {
    started_at: sql`${startedAt}`,
    amount: sql`COALESCE(${amountAsShown(amount, currency)}, 0)`,
    next_at: nextAt,
  },
  columns: COLUMNS,
  environment: subscriptions.environment,
  currency: sql`COALESCE(${currency}, '')`,
  fields: { yearly: sql`COALESCE(${BROUGHT}, 0)` },
  schema: z.object({ yearly: z.number() }),
});

/** A subscription of any partner; undefined for an unknown one. One D1 round trip. */
export async function findSubscription(db: Database, wanted: string): Promise<SubscriptionRow | undefined> {
  return db.select(COLUMNS).from(subscriptions).where(eq(id, wanted)).get();
}

/** Subscriptions of any partner, by their ids. One D1 round trip. */
export async function findSubscriptions(db: Cell, wanted: readonly string[]): Promise<SubscriptionRow[]> {
  return db
    .select(COLUMNS)
    .from(subscriptions)
    .where(inArray(id, inList(wanted)))
    .all();
}
