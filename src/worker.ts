import { buildApp } from "./app.ts";
import { depsOf } from "./build-deps.ts";
import { systemClock } from "./core/clock.ts";
import { consoleLog, errorFields } from "./core/log.ts";
import type { Deps } from "./deps.ts";
import type { Bindings } from "./env.ts";
import { processBatch } from "./runners/queues.ts";
import { sweepAll } from "./runners/sweeps.ts";

export { CellSweeper } from "./runners/cell-sweeper.ts";
export { KeyActor } from "./runners/key-actor.ts";

/** Built once per isolate and set of bindings. */
const apps = new WeakMap<Deps, ReturnType<typeof buildApp>>();

function appOf(deps: Deps): ReturnType<typeof buildApp> {
  const app = apps.get(deps) ?? buildApp(deps);
  apps.set(deps, app);
  return app;
}

export default {
  fetch(request, bindings, context) {
    try {
      return appOf(depsOf(bindings))(request, context);
    } catch (thrown) {
      // The settings are invalid. The log names them, the response does not, and no request is served.
      const id = crypto.randomUUID();
      consoleLog(systemClock).with({ request: id }).error("the Worker cannot start", errorFields(thrown));
      return Response.json({ success: false, error: "This service is not configured." }, { status: 503, headers: { "X-Request-Id": id } });
    }
  },

  async queue(batch, bindings, context) {
    await processBatch(depsOf(bindings), batch, (work) => context.waitUntil(work));
  },

  async scheduled(_controller, bindings) {
    const deps = depsOf(bindings);
    await sweepAll(deps, (cell) => deps.sweeperOf(cell).sweep(cell));
  },
} satisfies ExportedHandler<Bindings>;
