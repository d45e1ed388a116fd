import { type SQL, sql } from "drizzle-orm";
import { attemptErrors, deliveryStates, events } from "../../db/schema/webhooks.ts";

export { attemptErrors, deliveryStates };
export type DeliveryState = (typeof deliveryStates)[number];

/** Whether a delivery is in this state. The state is a literal: for a bound parameter, SQLite uses no partial index. */
export function isInState(state: DeliveryState): SQL {
  return sql`${events.state} = ${sql.raw(`'${state}'`)}`;
}
