import { systemClock } from "./core/clock.ts";
import { consoleLog, errorFields } from "./core/log.ts";
import type { Bindings } from "./env.ts";
import { isolateOf } from "./isolate.ts";

export { CellSweeper } from "./runners/cell-sweeper.ts";
export { KeyActor } from "./runners/key-actor.ts";

export default {
  async fetch(request, bindings, context) {
    try {
      return await isolateOf(bindings).serve(request, context);
    } catch (thrown) {
      // The settings or the bindings are invalid. The log names them, the response does not, and no request is served.
      const id = crypto.randomUUID();
      consoleLog(systemClock).with({ request: id }).error("the Worker cannot start", errorFields(thrown));
      return Response.json({ success: false, error: "This service is not configured." }, { status: 503, headers: { "X-Request-Id": id } });
    }
  },

  async queue(batch, bindings, context) {
    const { processBatch } = await import("./runners/queues.ts");
    await processBatch(isolateOf(bindings).deps, batch, (work) => context.waitUntil(work));
  },

  async scheduled(_controller, bindings) {
    const { sweepAll } = await import("./runners/sweeps.ts");
    const { deps } = isolateOf(bindings);
    await sweepAll(deps, (cell) => deps.sweeperOf(cell).sweep(cell));
  },
} satisfies ExportedHandler<Bindings>;
