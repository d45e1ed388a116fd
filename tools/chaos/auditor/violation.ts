/** A broken promise. */
export interface Violation {
  /** The promise, in a few words. */
  readonly promise: string;
  readonly what: string;
  /** The subject: a token, a link, a payment, an event. The history is filtered by it. */
  readonly about: string;
}
