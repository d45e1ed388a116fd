import { env } from "cloudflare:workers";
import type { Bindings } from "../../src/env.ts";
import { CellSweeper as ProductSweeper } from "../../src/runners/cell-sweeper.ts";
import { KeyActor as Product } from "../../src/runners/key-actor.ts";
import worker from "../../src/worker.ts";
import { plantDefect } from "./planted-defects.ts";

/** Injected faults. Shares are from 0 to 1. */
interface Failures {
  /** The share of failing round trips: half of them before their effect, half after it. */
  readonly d1: number;
  readonly kv: number;
  readonly r2: number;
  /** The clock error in milliseconds. */
  readonly clock: number;
  /** The unreachable cells, by binding. */
  readonly lost: readonly string[];
}

let failures: Failures = { d1: 0, kv: 0, r2: 0, clock: 0, lost: [] };
const stores = env as unknown as Pick<Bindings, "CELL_1" | "SHORT_LINKS" | "SNAPSHOTS">;

type Method = (...given: unknown[]) => Promise<unknown>;

/** Makes a method of a binding fail at random. */
function failAtRandom(prototype: object, method: string, store: "d1" | "kv" | "r2"): void {
  const methods = prototype as Record<string, Method>;
  const original = methods[method];
  if (original === undefined) throw new Error(`the binding has no method ${method}`);
  methods[method] = async function failing(this: unknown, ...given: unknown[]) {
    if (Math.random() < failures[store] / 2) throw new Error(`${store.toUpperCase()}_ERROR: Network connection lost.`);
    const result = await original.apply(this, given);
    if (Math.random() < failures[store] / 2) throw new Error(`${store.toUpperCase()}_ERROR: Network connection lost.`);
    return result;
  };
}

failAtRandom(Object.getPrototypeOf(stores.CELL_1) as object, "batch", "d1");
for (const method of ["first", "run", "all", "raw"])
  failAtRandom(Object.getPrototypeOf(stores.CELL_1.prepare("SELECT 1")) as object, method, "d1");
for (const method of ["get", "put", "delete"]) {
  failAtRandom(Object.getPrototypeOf(stores.SHORT_LINKS) as object, method, "kv");
  failAtRandom(Object.getPrototypeOf(stores.SNAPSHOTS) as object, method, "r2");
}

/** A cell that may be unreachable for a while. */
function losable(name: string, cell: D1Database): D1Database {
  return new Proxy(cell, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (failures.lost.includes(name)) throw new Error("D1_ERROR: D1 DB is out of reach.");
        return (value as Method).apply(target, given);
      };
    },
  });
}

const cells = Object.entries(env).filter(([name]) => /^CELL_\d+$/.test(name)) as [string, D1Database][];
/** One set of bindings, so that requests and objects share the isolate's memory. */
const own = { ...env, ...Object.fromEntries(cells.map(([name, cell]) => [name, losable(name, cell)])) } as unknown as Bindings;

export class KeyActor extends Product {
  constructor(state: DurableObjectState) {
    super(state, own);
  }
}

export class CellSweeper extends ProductSweeper {
  constructor(state: DurableObjectState) {
    super(state, own);
  }
}

const realNow = Date.now;
Date.now = () => realNow() + failures.clock;

const broken = plantDefect((env as unknown as { readonly BREAK?: string }).BREAK ?? "");

export default {
  async fetch(request, _bindings, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/chaos/failures") {
      failures = await request.json<Failures>();
      return Response.json(failures);
    }
    if (pathname === "/chaos/cron") {
      await worker.scheduled({ scheduledTime: Date.now(), cron: "* * * * *", noRetry: () => undefined }, own);
      await broken.afterCron?.();
      return Response.json({});
    }
    return broken.answer?.(request, () => worker.fetch(request, own, context)) ?? worker.fetch(request, own, context);
  },
  queue: (batch, _bindings, context) => worker.queue(batch, own, context),
} satisfies ExportedHandler<Bindings>;
