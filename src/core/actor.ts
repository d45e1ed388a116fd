/** The person who makes a manual change, and the request. Each audit entry has both. */
export interface Actor {
  /** The person's name: verified after a sign-in, otherwise the name that the caller gives. */
  readonly name: string;
  readonly requestId: string;
}

/** Whether a name was verified by a sign-in: a holder of the shared token gives any name, but none with an @. */
export const isVerified = (name: string): boolean => name.includes("@");

/** The name of work that no caller started. */
export const SERVICE_NAME = "the service";
