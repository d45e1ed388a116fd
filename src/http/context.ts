import type { Context } from "hono";
import type { Actor } from "../core/actor.ts";
import type { CellDeps, Deps } from "../deps.ts";
import type { Role } from "../operators/roles.ts";
import type { Caller } from "../partners/authenticate.ts";

/** Request-scoped variables that the routes share. */
export interface AppEnv {
  Bindings: {
    /** KV was asked for the slug of this request, and does not have it. */
    isMissingInCache: boolean;
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

/** The dependencies with the data of the caller's cell, after the caller has been authenticated. */
export function ownDeps(context: Context<AppEnv>): CellDeps {
  return context.get("deps").inCell(context.get("caller").cell);
}
