import type { Bindings } from "../src/env.ts";
import worker from "../src/worker.ts";
import { type Around, slowDatabase } from "./slow-database.ts";

export { CellSweeper } from "../src/runners/cell-sweeper.ts";
export { KeyActor } from "../src/runners/key-actor.ts";

/**
 * The Worker far from its databases, as for a partner on the other side of the world: each round trip from the edge to
 * a database or Durable Object takes longer. The Durable Objects are near the databases, so their round trips do not.
 */
let delay = 0;

const far: Around = async (trip) => {
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  return trip();
};

const farObjects = (objects: Bindings["OPERATIONS"]): Bindings["OPERATIONS"] =>
  ({
    idFromName: (name: string) => objects.idFromName(name),
    get(id: DurableObjectId) {
      const object = objects.get(id);
      return {
        handle: (asked: Parameters<typeof object.handle>[0]) => far(async () => object.handle(asked)),
      };
    },
  }) as unknown as Bindings["OPERATIONS"];

/** The same for all requests: the Worker builds its dependencies once per set of bindings. */
let distant: Bindings | undefined;

function farFrom(bindings: Bindings): Bindings {
  distant ??= {
    ...bindings,
    DIRECTORY: slowDatabase(bindings.DIRECTORY, far),
    CELL_1: slowDatabase((bindings as unknown as { readonly CELL_1: D1Database }).CELL_1, far),
    OPERATIONS: farObjects(bindings.OPERATIONS),
  };
  return distant;
}

export default {
  fetch(request, bindings, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench/distance") return worker.fetch(request, farFrom(bindings), context);
    delay = Number(searchParams.get("ms"));
    return new Response("set");
  },
  queue: (batch, bindings, context) => worker.queue(batch, bindings, context),
} satisfies ExportedHandler<Bindings>;
