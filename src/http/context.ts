import type { Deps } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";

/** Request-scoped variables that the routes share. */
export interface AppEnv {
  Variables: {
    deps: Deps;
    caller: Caller;
    requestId: string;
  };
}
