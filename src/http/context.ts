import type { Context } from "hono";
import type { Actor } from "../core/actor.ts";
import type { Deps, PartnerDeps } from "../deps.ts";
import type { Role } from "../operators/roles.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Resolved } from "../short-links/resolve.ts";

/** Request-scoped variables that the routes share. */
export interface AppEnv {
  Bindings: {
    /** What this isolate and KV know of the slug of this request; undefined if they do not know it, or it has none. */
    shortLink: Resolved | undefined;
    /** The platform's own context of the request, which the router has with fewer fields. */
    execution: ExecutionContext;
  };
  Variables: {
    deps: Deps;
    caller: Caller;
    /** Who operates, and as what. */
    actor: Actor;
    roles: ReadonlySet<Role>;
    /** The checked path and query of an operators' call. */
    checkedParams: object;
    checkedQuery: object;
    requestId: string;
  };
}

/** The dependencies with the caller's data, after the caller has been authenticated. */
export function ownDeps(context: Context<AppEnv>): PartnerDeps {
  return context.get("deps").ofPartner(context.get("caller"));
}
