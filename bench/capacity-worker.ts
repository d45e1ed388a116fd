import { env } from "cloudflare:workers";
import type { Bindings } from "../src/env.ts";
import { CellSweeper as ProductSweeper } from "../src/runners/cell-sweeper.ts";
import { KeyActor as ProductObject } from "../src/runners/key-actor.ts";
import worker from "../src/worker.ts";
import { type Around, slowDatabase } from "./slow-database.ts";

/**
 * The Worker with databases that each serve one round trip at a time, as D1 does, with a fixed service time. So a cell
 * reaches its limit before the cores of this machine.
 */
let service = 0;

/** The state of a simulated database. */
interface Served {
  /** When it has served all requests so far, in Unix milliseconds. */
  freeAt: number;
  trips: number;
  /** How long the round trips took without the wait, in milliseconds. */
  took: number;
}

const served = new Map<string, Served>();

function serve(name: string): Around {
  return async (trip) => {
    const state = served.get(name) ?? { freeAt: 0, trips: 0, took: 0 };
    served.set(name, state);
    state.trips += 1;
    const now = Date.now();
    state.freeAt = Math.max(now, state.freeAt) + service;
    if (service > 0) await new Promise((resolve) => setTimeout(resolve, state.freeAt - now));
    const began = performance.now();
    try {
      return await trip();
    } finally {
      state.took += performance.now() - began;
    }
  };
}

const bound = Object.entries(env).filter(([name]) => /^(DIRECTORY|CELL_\d+)$/.test(name)) as [string, D1Database][];
/** One set of bindings, so that requests and objects share the isolate's memory. */
const own = {
  ...env,
  ...Object.fromEntries(bound.map(([name, database]) => [name, slowDatabase(database, serve(name))])),
} as unknown as Bindings;

export class KeyActor extends ProductObject {
  constructor(state: DurableObjectState) {
    super(state, own);
  }
}

export class CellSweeper extends ProductSweeper {
  constructor(state: DurableObjectState) {
    super(state, own);
  }
}

export default {
  fetch(request, _bindings, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench/service") return worker.fetch(request, own, context);
    const found = Object.fromEntries(Array.from(served, ([name, { trips, took }]) => [name, { trips, took }]));
    if (searchParams.has("ms")) {
      service = Number(searchParams.get("ms"));
      served.clear();
    }
    return Response.json(found);
  },
  queue: (batch, _bindings, context) => worker.queue(batch, own, context),
} satisfies ExportedHandler<Bindings>;
