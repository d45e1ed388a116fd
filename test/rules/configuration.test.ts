import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, it } from "vitest";
import * as z from "zod";
import { messagesAtOnce } from "../../src/core/message-queue.ts";
import { root } from "../../tools/local/processes.ts";

const queuesSchema = z.object({ queues: z.object({ consumers: z.array(z.object({ queue: z.string(), max_batch_size: z.number() })) }) });

it("wrangler.toml gives a consumer as many messages at once as the Worker is made for", () => {
  const { queues } = queuesSchema.parse(parse(readFileSync(join(root, "wrangler.toml"), "utf8")));
  expect(Object.fromEntries(queues.consumers.map(({ queue, max_batch_size }) => [queue, max_batch_size]))).toEqual(messagesAtOnce);
});

it("the types of the runtime are of the runtime that runs, to a few days: not every day's are published", async () => {
  const dateOf = async (name: string) => {
    const { version } = z
      .object({ version: z.string() })
      .parse(await import(`${name}/package.json`, { with: { type: "json" } }).then((found) => found.default));
    const [, year = "", month = "", day = ""] = /^\d+\.(\d{4})(\d{2})(\d{2})\./.exec(version) ?? [];
    return Date.UTC(Number(year), Number(month) - 1, Number(day));
  };
  const apart = Math.abs((await dateOf("workerd")) - (await dateOf("@cloudflare/workers-types")));
  expect(apart).toBeLessThanOrEqual(4 * 24 * 60 * 60_000);
});
