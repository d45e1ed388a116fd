import { type ServiceError, ServiceFailure } from "../../src/core/errors.ts";

/** The error that a rule refuses something with; null where it does not. */
export function failureOf(run: () => unknown): ServiceError | null {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ServiceFailure) return thrown.error;
    throw thrown;
  }
  return null;
}
