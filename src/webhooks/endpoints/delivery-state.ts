import { type SQL, sql } from "drizzle-orm";
import { attemptErrors, deliveryStates, events } from "../../db/schema/webhooks.ts";

export { attemptErrors, deliveryStates };
export type DeliveryState = (typeof deliveryStates)[number];

/** Whether a delivery is in this state. The state is a literal: for a bound parameter, SQLite uses no partial index. */
export function isInState(state: DeliveryState): SQL {
  return sql`${events.state} = ${sql.raw(`'${state}'`)}`;
}

/** How the causes of test events begin. A partner has sent them to itself; nothing happened. */
export const TEST_CAUSE = "test:";

/** SQL condition: the row is an event with its first delivery, and not a delivery of it to a further endpoint. */
export const isFirstDelivery: SQL = sql`instr(${events.id}, '.') = 0`;

/** SQL condition: the event reports something that happened; it is no test event. */
export const isRealEvent: SQL = sql`${events.cause} NOT LIKE ${sql.raw(`'${TEST_CAUSE}%'`)}`;
