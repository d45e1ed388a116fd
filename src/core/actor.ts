/** Who makes a manual change, and in which request: what the audit log says of each change. */
export interface Actor {
  /** The person's name: verified where they signed in, otherwise as they call themselves. */
  readonly name: string;
  readonly requestId: string;
}
