import * as z from "zod";
import { furtherCells } from "./further-cells.ts";

/** What a Miniflare of ours needs of wrangler.toml, as wrangler reads it. */
export const workerConfigSchema = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_id: z.string() })),
  kv_namespaces: z.array(z.looseObject({ binding: z.string(), id: z.string() })),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })),
  durable_objects: z.object({ bindings: z.array(z.looseObject({ name: z.string(), class_name: z.string() })) }),
  queues: z.object({
    producers: z.array(z.looseObject({ binding: z.string(), queue: z.string() })),
    consumers: z.array(
      z.looseObject({
        queue: z.string(),
        max_batch_size: z.int(),
        max_batch_timeout: z.int(),
        max_retries: z.int(),
        dead_letter_queue: z.string(),
      }),
    ),
  }),
  assets: z.looseObject({ binding: z.string() }),
});

export type WorkerConfig = z.output<typeof workerConfigSchema>;

const entriesOf = <Row, Value>(rows: readonly Row[], entry: (row: Row) => readonly [string, Value]) => Object.fromEntries(rows.map(entry));

/** The compatibility date and flags of wrangler.toml. */
export const compatibilityOf = (config: WorkerConfig) => ({
  compatibilityDate: config.compatibility_date,
  compatibilityFlags: config.compatibility_flags,
});

/** The databases, KV and R2 of wrangler.toml, by binding: the local ones are named by their ids. `cells`: how many there are. */
export function storeBindingsOf(config: WorkerConfig, cells: number) {
  return {
    ...entriesOf([...config.d1_databases, ...furtherCells(cells)], ({ binding, database_id: id }) => [
      binding,
      { type: "d1", id } as const,
    ]),
    ...entriesOf(config.kv_namespaces, ({ binding, id }) => [binding, { type: "kv", id } as const]),
    ...entriesOf(config.r2_buckets, ({ binding, bucket_name: name }) => [binding, { type: "r2", name } as const]),
  };
}

/** The files of a folder beside the Worker, or another Worker that answers in their place. */
type AssetsBinding = { readonly type: "assets" } | { readonly type: "worker"; readonly worker: string };

/**
 * What the Worker is bound to beside its settings and its rate limits, for a Miniflare in which it is called `worker`: so a binding
 * is named in wrangler.toml alone. `assets`: what answers for its assets.
 */
export function deployedBindingsOf(config: WorkerConfig, worker: string, assets: AssetsBinding, cells: number) {
  const classes = config.durable_objects.bindings;
  return {
    env: {
      ...storeBindingsOf(config, cells),
      ...entriesOf(classes, ({ name, class_name: exportName }) => [name, { type: "durable-object", worker, exportName } as const]),
      ...entriesOf(config.queues.producers, ({ binding, queue: name }) => [binding, { type: "queue", name } as const]),
      [config.assets.binding]: assets,
    },
    exports: entriesOf(classes, ({ class_name: name }) => [name, { type: "durable-object", storage: "sqlite" } as const]),
  };
}

/** The consumers of the queues, as wrangler.toml has them. */
export function queueConsumersOf(config: WorkerConfig) {
  return config.queues.consumers.map(
    (one) =>
      ({
        type: "queue",
        name: one.queue,
        maxBatchSize: one.max_batch_size,
        maxBatchTimeout: one.max_batch_timeout,
        maxRetries: one.max_retries,
        deadLetterQueue: one.dead_letter_queue,
      }) as const,
  );
}
