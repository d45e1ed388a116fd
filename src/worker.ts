import { systemClock } from "./core/clock.ts";
import { consoleLog, errorFields } from "./core/log.ts";
import type { Bindings } from "./env.ts";
import { type Front, frontOf } from "./front.ts";
import { followFirst } from "./http/short-domain/follow-first.ts";

export { CellSweeper } from "./runners/cell-sweeper.ts";
export { KeyActor } from "./runners/key-actor.ts";

type Follow = ReturnType<typeof followFirst>;

/** Built once per isolate. */
const follows = new WeakMap<Front, Follow>();

/** A customer of a short link waits for nothing else: all other requests load the app when the first of them comes. */
function followOf(bindings: Bindings): Follow {
  const front = frontOf(bindings);
  const known =
    follows.get(front) ??
    followFirst(front, async (request, context, resolved) => {
      const { serve } = await import("./serve.ts");
      return serve(bindings, request, context, resolved);
    });
  follows.set(front, known);
  return known;
}

export default {
  async fetch(request, bindings, context) {
    try {
      return await followOf(bindings)(request, context);
    } catch (thrown) {
      // The settings or the bindings are invalid. The log names them, the response does not, and no request is served.
      const id = crypto.randomUUID();
      consoleLog(systemClock).with({ request: id }).error("the Worker cannot start", errorFields(thrown));
      return Response.json({ success: false, error: "This service is not configured." }, { status: 503, headers: { "X-Request-Id": id } });
    }
  },

  async queue(batch, bindings, context) {
    const [{ processBatch }, { depsOf }] = await Promise.all([import("./runners/queues.ts"), import("./build-deps.ts")]);
    await processBatch(depsOf(bindings), batch, (work) => context.waitUntil(work));
  },

  async scheduled(_controller, bindings) {
    const [{ sweepAll }, { depsOf }] = await Promise.all([import("./runners/sweeps.ts"), import("./build-deps.ts")]);
    const deps = depsOf(bindings);
    await sweepAll(deps, (cell) => deps.sweeperOf(cell).sweep(cell));
  },
} satisfies ExportedHandler<Bindings>;
