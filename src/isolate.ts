import { buildServe, type Serve } from "./app.ts";
import { buildDeps } from "./build-deps.ts";
import type { Deps } from "./deps.ts";
import type { Bindings } from "./env.ts";

/** What an isolate keeps between its requests, messages and sweeps, and shares with its Durable Objects. */
interface Isolate {
  readonly deps: Deps;
  readonly serve: Serve;
}

let isolates = new WeakMap<Bindings, Isolate>();

/** What an isolate keeps. Built on first use. Throws if the settings are invalid. */
export function isolateOf(bindings: Bindings): Isolate {
  const known = isolates.get(bindings);
  if (known !== undefined) return known;
  const deps = buildDeps(bindings);
  const isolate = { deps, serve: buildServe(deps) };
  isolates.set(bindings, isolate);
  return isolate;
}

/** Forgets what the isolate keeps, for test files that share one. */
export function forgetIsolates(): void {
  isolates = new WeakMap();
}
