import { env } from "cloudflare:workers";
import { KeyActor } from "../../src/runners/key-actor.ts";
import { isConsuming } from "./old-messages.ts";
import { takesOneMillisecond } from "./virtual-time.ts";

/**
 * What a request does to the platform, seen at the bindings themselves: nothing of ours is replaced, and the Worker
 * and its Durable Objects, which share the isolate with the tests, are seen alike.
 */
export type Effect = "d1" | "kv.get" | "kv.put" | "r2.get" | "r2.put" | "object" | "processor" | "bank";

export type Around = (effect: Effect, perform: () => Promise<unknown>) => Promise<unknown>;

const passOn: Around = (_effect, perform) => perform();
let around: Around = passOn;
let current: KeyActor | undefined;

/** Puts `own` around every round trip to D1 and every KV call from now on. */
export function aroundEffects(own: Around): void {
  around = own;
}

export function report(effect: Effect, perform: () => Promise<unknown>): Promise<unknown> {
  return around(effect, perform);
}

/** Really ends the Durable Object that is at work: whatever it was waiting for never comes to it. */
export async function crash(): Promise<never> {
  const { ctx } = current as unknown as { ctx: DurableObjectState };
  ctx.abort("crash injected by a test");
  return new Promise<never>(() => undefined);
}

/** Whether an operation object is at work at this moment. */
export function objectAtWork(): boolean {
  return current !== undefined;
}

export function resetEffects(): void {
  around = passOn;
  current = undefined;
}

type Method = (...args: unknown[]) => Promise<unknown>;

function watch(prototype: object, method: string, effect: Effect): void {
  const methods = prototype as Record<string, Method>;
  const original = methods[method];
  if (original === undefined) throw new Error(`the binding has no method ${method}`);
  methods[method] = function watched(this: unknown, ...args: unknown[]) {
    return around(effect, () => takesOneMillisecond(() => original.apply(this, args)));
  };
}

let connected = false;

export function connectObserver(): void {
  if (connected) return;
  connected = true;
  watch(Object.getPrototypeOf(env.CELL_1) as object, "batch", "d1");
  for (const method of ["first", "run", "all", "raw"]) watch(Object.getPrototypeOf(env.CELL_1.prepare("SELECT 1")) as object, method, "d1");
  watch(Object.getPrototypeOf(env.SHORT_LINKS) as object, "get", "kv.get");
  watch(Object.getPrototypeOf(env.SHORT_LINKS) as object, "put", "kv.put");
  watch(Object.getPrototypeOf(env.SNAPSHOTS) as object, "get", "r2.get");
  watch(Object.getPrototypeOf(env.SNAPSHOTS) as object, "put", "r2.put");
  const { handle, compensate } = KeyActor.prototype;
  const within = <Result>(object: KeyActor, work: () => Promise<Result>): Promise<Result> => {
    current = object;
    const done = around("object", work) as Promise<Result>;
    const leave = () => {
      if (current === object) current = undefined;
    };
    done.then(leave, leave);
    return done;
  };
  KeyActor.prototype.handle = function observed(request) {
    return within(this, () => handle.call(this, request));
  };
  KeyActor.prototype.compensate = function observed(...what) {
    return within(this, () => compensate.call(this, ...what));
  };
}

type Costs = Record<Effect, number>;

/** What a request costs: these effects, and no others. */
export const costs = (some: Partial<Costs>): Costs => ({ ...NOTHING, ...some });
const NOTHING: Costs = { d1: 0, "kv.get": 0, "kv.put": 0, "r2.get": 0, "r2.put": 0, object: 0, processor: 0, bank: 0 };

/** How often each effect happens because of `work`. What consumers of the queues do meanwhile does not count. */
export async function countEffects<Result>(work: () => Promise<Result>): Promise<{ result: Result; counts: Costs }> {
  const counts = costs({});
  aroundEffects((effect, perform) => {
    counts[effect] += isConsuming() ? 0 : 1;
    return perform();
  });
  try {
    return { result: await work(), counts };
  } finally {
    resetEffects();
  }
}
