import { type SQL, sql } from "drizzle-orm";
import { events } from "../../db/schema/webhooks.ts";

/** How the causes of test events begin. A partner has sent them to itself; nothing happened. */
export const TEST_CAUSE = "test:";

/** SQL condition: the event reports something that happened; it is no test event. */
export const isRealEvent: SQL = sql`${events.cause} NOT LIKE ${sql.raw(`'${TEST_CAUSE}%'`)}`;
