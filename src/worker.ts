import { buildApp } from "./app.ts";
import { systemClock } from "./core/clock.ts";
import { consoleLog, errorFields } from "./core/log.ts";
import { type Deps, depsOf } from "./deps.ts";
import type { Bindings } from "./env.ts";
import { processBatch } from "./queues.ts";
import { sweepAll } from "./sweeps.ts";

export { OperationObject } from "./operation-object.ts";

type App = { readonly deps: Deps; readonly serve: ReturnType<typeof buildApp> };

/** Built once per isolate and set of bindings. */
const apps = new WeakMap<Bindings, App>();

function appOf(bindings: Bindings): App {
  const known = apps.get(bindings);
  if (known !== undefined) return known;
  const deps = depsOf(bindings);
  const app = { deps, serve: buildApp(deps) };
  apps.set(bindings, app);
  return app;
}

export default {
  fetch(request, bindings, context) {
    try {
      return appOf(bindings).serve(request, context);
    } catch (thrown) {
      // Invalid settings: the log names them, the response does not, and no request is served.
      const id = crypto.randomUUID();
      consoleLog(systemClock).with({ request: id }).error("the Worker cannot start", errorFields(thrown));
      return Response.json({ success: false, error: "This service is not configured." }, { status: 503, headers: { "X-Request-Id": id } });
    }
  },

  async queue(batch, bindings, context) {
    await processBatch(appOf(bindings).deps, batch, (work) => context.waitUntil(work));
  },

  async scheduled(_controller, bindings) {
    await sweepAll(appOf(bindings).deps);
  },
} satisfies ExportedHandler<Bindings>;
