import { buildServe } from "./app.ts";
import { depsOf } from "./build-deps.ts";
import type { Deps } from "./deps.ts";
import type { Bindings } from "./env.ts";
import { processBatch } from "./runners/queues.ts";
import { sweepAll } from "./runners/sweeps.ts";
import type { Resolved } from "./short-links/resolve.ts";

/** Built once per isolate and set of bindings. */
const apps = new WeakMap<Deps, ReturnType<typeof buildServe>>();

/** Serves a request that the front of the isolate left. */
export function serve(bindings: Bindings, request: Request, context: ExecutionContext, resolved: Resolved | undefined) {
  const deps = depsOf(bindings);
  const app = apps.get(deps) ?? buildServe(deps);
  apps.set(deps, app);
  return app(request, context, resolved);
}

/** Works off a batch of a queue. */
export function work(bindings: Bindings, batch: MessageBatch, later: (task: Promise<unknown>) => void): Promise<void> {
  return processBatch(depsOf(bindings), batch, later);
}

/** A run of the cron. */
export async function sweep(bindings: Bindings): Promise<void> {
  const deps = depsOf(bindings);
  await sweepAll(deps, (cell) => deps.sweeperOf(cell).sweep(cell));
}
