import { type Clock, HOUR, isoTime } from "../core/clock.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** A key that does not exist. A store that answers for it works. */
const NOTHING = "health/none";

/** An operator should look if a message waits this long. One that is to be tried again waits for up to 24 hours. */
const QUEUE_LATE = 25 * HOUR;

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

/** The number of waiting messages in a queue, and the age of the oldest. A local queue does not report them. */
export async function checkQueue(name: string, queue: Queue, clock: Clock): Promise<readonly Finding[]> {
  const check = `queue ${name}`;
  const { backlogCount, oldestMessageTimestamp } = await queue.metrics();
  const oldest = oldestMessageTimestamp?.getTime() ?? 0;
  if (oldest > 0 && clock.now() - oldest > QUEUE_LATE) {
    const detail = `${backlogCount} messages, the oldest since ${isoTime(oldest)}`;
    return [warning(check, detail, "The cron processes the rows of late messages. See docs/bad-days.md, queues lost.")];
  }
  return [ok(check, `${backlogCount} messages wait`)];
}
