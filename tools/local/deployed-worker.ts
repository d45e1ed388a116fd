import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { root } from "./processes.ts";
import { compatibilityOf, deployedBindingsOf, queueConsumersOf, storeBindingsOf, workerConfigSchema } from "./worker-bindings.ts";

/** What wrangler.toml says of the Worker. */
export const workerConfig = workerConfigSchema.parse(unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true }));

/** The compatibility date and flags of wrangler.toml. */
export const compatibility = compatibilityOf(workerConfig);

/** The databases, KV and R2 of wrangler.toml, by binding. `cells`: how many there are. */
export const storeBindings = (cells: number) => storeBindingsOf(workerConfig, cells);

/** What the Worker is bound to. `assets`: the Worker that answers for its assets. */
export const deployedBindings = (worker: string, assets: string, cells: number) =>
  deployedBindingsOf(workerConfig, worker, { type: "worker", worker: assets }, cells);

/** The consumers of the queues, as wrangler.toml has them. */
export const queueConsumers = () => queueConsumersOf(workerConfig);
