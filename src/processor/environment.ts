import type { Environment } from "../core/environment.ts";

/** The processor knows its two environments as `livemode` true and false. */
export function environmentOf(livemode: boolean): Environment {
  return livemode ? "live" : "test";
}

export function livemodeOf(environment: Environment): boolean {
  return environment === "live";
}
