import type { Environment } from "../core/environment.ts";

/** The processor has two environments, as `livemode` true and false. */
const LIVEMODE: Readonly<Record<Environment, boolean>> = { live: true, test: false };

export function environmentOf(livemode: boolean): Environment {
  return livemode === LIVEMODE.live ? "live" : "test";
}

export function livemodeOf(environment: Environment): boolean {
  return LIVEMODE[environment];
}
