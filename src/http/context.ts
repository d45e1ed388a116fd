import type { Context } from "hono";
import type { Actor } from "../core/actor.ts";
import type { Deps, PartnerDeps } from "../deps.ts";
import type { Role } from "../operators/roles.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { SignedIn } from "../partners/people/sessions.ts";

/** Request-scoped variables that the routes share. */
export interface AppEnv {
  Bindings: {
    /** The platform's execution context. The router's own type lacks some fields. */
    execution: ExecutionContext;
  };
  Variables: {
    deps: Deps;
    caller: Caller;
    /** The person who made a partner's call in a session; null for a key. */
    signedIn: SignedIn | null;
    /** The operator and the role. */
    actor: Actor;
    roles: ReadonlySet<Role>;
    /** The validated path and query of an operators' or a partner's call. */
    checkedParams: object;
    checkedQuery: object;
    requestId: string;
  };
}

/** The dependencies with the caller's data, after the caller has been authenticated. */
export function ownDeps(context: Context<AppEnv>): PartnerDeps {
  return context.get("deps").ofPartner(context.get("caller"));
}
