import { type Clock, isoTime, MINUTE } from "../core/clock.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** A key that nothing has: whether a store answers shows also where it has nothing. */
const NOTHING = "health/none";

/** So long a message may wait before somebody should look. */
const QUEUE_LATE = 10 * MINUTE;

/** Whether KV answers. */
export async function checkShortLinkCache(kv: KVNamespace): Promise<readonly Finding[]> {
  await kv.get(NOTHING);
  return [ok("short links' cache", "KV answers")];
}

/** Whether R2 answers. */
export async function checkSnapshots(bucket: R2Bucket): Promise<readonly Finding[]> {
  await bucket.head(NOTHING);
  return [ok("snapshots", "R2 answers")];
}

/** How many messages wait in a queue, and how long. A local queue does not say it. */
export async function checkQueue(name: string, queue: Queue, clock: Clock): Promise<readonly Finding[]> {
  const check = `queue ${name}`;
  const { backlogCount, oldestMessageTimestamp } = await queue.metrics();
  const oldest = oldestMessageTimestamp?.getTime() ?? 0;
  if (oldest > 0 && clock.now() - oldest > QUEUE_LATE) {
    const detail = `${backlogCount} messages, the oldest since ${isoTime(oldest)}`;
    return [warning(check, detail, "The cron does the work of late messages. See docs/bad-days.md, queues lost.")];
  }
  return [ok(check, `${backlogCount} messages wait`)];
}
