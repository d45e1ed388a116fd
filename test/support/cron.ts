import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../src/worker.ts";

/** Runs the minute's cron once, to its end. */
export async function cron(): Promise<void> {
  await worker.scheduled(createScheduledController(), env);
}
