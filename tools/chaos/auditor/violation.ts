/** A broken promise. */
export interface Violation {
  /** The promise, in a few words. */
  readonly promise: string;
  readonly what: string;
  /** What it is about: a token, a link, a payment, an event. The history is cut to it. */
  readonly about: string;
}
