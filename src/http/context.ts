import type { Tools } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";

/** What travels with a request through the routes. */
export interface AppEnv {
  Variables: {
    tools: Tools;
    caller: Caller;
    requestId: string;
  };
}
