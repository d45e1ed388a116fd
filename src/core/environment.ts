import * as z from "zod";

/** The processor's two environments. An object of one is never visible in the other. */
export const environments = ["live", "test"] as const;

export type Environment = (typeof environments)[number];

export const environmentSchema = z.enum(environments, `must be ${environments.join(" or ")}`);

/** One value for each environment. */
export function perEnvironment<Value>(make: (environment: Environment) => Value): Readonly<Record<Environment, Value>> {
  return { live: make("live"), test: make("test") };
}
