import { env } from "cloudflare:workers";
import type { Bindings } from "../src/env.ts";
import worker from "../src/worker.ts";
import { breakOnPurpose } from "./breaks.ts";

export { OperationObject } from "../src/operation-object.ts";

/** What fails. Shares are from 0 to 1. */
interface Failures {
  /** Of round trips that fail: half of them before their effect, half after it. */
  readonly d1: number;
  readonly kv: number;
  readonly r2: number;
  /** Milliseconds by which the clock is wrong. */
  readonly clock: number;
}

let failures: Failures = { d1: 0, kv: 0, r2: 0, clock: 0 };
const stores = env as unknown as Pick<Bindings, "CELL_1" | "SHORT_LINKS" | "SNAPSHOTS">;

type Method = (...given: unknown[]) => Promise<unknown>;

/** Lets a method of a binding fail now and then. */
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

const realNow = Date.now;
Date.now = () => realNow() + failures.clock;

const broken = breakOnPurpose((env as unknown as { readonly BREAK?: string }).BREAK ?? "");

export default {
  async fetch(request, bindings, context) {
    const { pathname } = new URL(request.url);
    if (pathname === "/chaos/failures") {
      failures = await request.json<Failures>();
      return Response.json(failures);
    }
    if (pathname === "/chaos/cron") {
      await worker.scheduled({ scheduledTime: Date.now(), cron: "* * * * *", noRetry: () => undefined }, bindings);
      await broken.afterCron?.();
      return Response.json({});
    }
    return broken.answer?.(request, () => worker.fetch(request, bindings, context)) ?? worker.fetch(request, bindings, context);
  },
  queue: (batch, bindings, context) => worker.queue(batch, bindings, context),
} satisfies ExportedHandler<Bindings>;
