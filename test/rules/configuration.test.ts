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
