import { buildServe } from "./app.ts";
import { depsOf } from "./build-deps.ts";
import type { Deps } from "./deps.ts";
import type { Bindings } from "./env.ts";
import type { Resolved } from "./short-links/resolve.ts";

/** Built once per isolate and set of bindings. */
const apps = new WeakMap<Deps, ReturnType<typeof buildServe>>();

/** Serves a request that the front of the isolate left. */
export function serve(bindings: Bindings, request: Request, context: ExecutionContext, resolved: Resolved | undefined) {
  const deps = depsOf(bindings);
  const app = apps.get(deps) ?? buildServe(deps);
  apps.set(deps, app);
  return app(request, context, resolved);
}
