import { eq } from "drizzle-orm";
import type { Directory } from "../db/client.ts";
import { heartbeats } from "../db/schema/health.ts";

const CRON = "cron";

/** Notes that the cron runs. */
export async function noteCronRun(directory: Directory, now: number): Promise<void> {
  await directory
    .insert(heartbeats)
    .values({ name: CRON, at: now })
    .onConflictDoUpdate({ target: heartbeats.name, set: { at: now } });
}

/** When the cron last ran. The query's answer is empty before the first time. */
export function lastCronRun(directory: Directory) {
  return directory.select({ at: heartbeats.at }).from(heartbeats).where(eq(heartbeats.name, CRON));
}
