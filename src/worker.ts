import { buildApp } from "./app.ts";
import { systemClock } from "./core/clock.ts";
import { consoleLog, describeThrown } from "./core/log.ts";
import { buildTools, type Tools } from "./deps.ts";
import type { Bindings } from "./env.ts";
import { workBatch } from "./queues.ts";
import { sweepAll } from "./sweeps.ts";

export { OperationObject } from "./operation-object.ts";

type App = { readonly tools: Tools; readonly serve: ReturnType<typeof buildApp> };

/** Built once per isolate and set of bindings. */
const apps = new WeakMap<Bindings, App>();

function appOf(bindings: Bindings): App {
  const known = apps.get(bindings);
  if (known !== undefined) return known;
  const tools = buildTools(bindings);
  const app = { tools, serve: buildApp(tools) };
  apps.set(bindings, app);
  return app;
}

export default {
  fetch(request, bindings, context) {
    try {
      return appOf(bindings).serve(request, context);
    } catch (thrown) {
      // Wrong settings: the log names them, a caller learns nothing, and nothing is served.
      const id = crypto.randomUUID();
      consoleLog(systemClock).with({ request: id }).error("the Worker cannot start", describeThrown(thrown));
      return Response.json({ success: false, error: "This service is not configured." }, { status: 503, headers: { "X-Request-Id": id } });
    }
  },

  async queue(batch, bindings, context) {
    await workBatch(appOf(bindings).tools, batch, (work) => context.waitUntil(work));
  },

  async scheduled(_controller, bindings) {
    await sweepAll(appOf(bindings).tools);
  },
} satisfies ExportedHandler<Bindings>;
