/** The person who makes a manual change, and the request. Each audit entry has both. */
export interface Actor {
  /** The person's name: verified after a sign-in, otherwise the name that the caller gives. */
  readonly name: string;
  readonly requestId: string;
}

/** The name of work that no caller started. */
export const SERVICE_NAME = "the service";
