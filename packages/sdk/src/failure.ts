/**
 * What a repeat of a failed call needs: nothing (`now`, the client has tried it already), a new token (`new_token`), or first a
 * correction of the request, the key or the products (`corrected`). `unknown`: it may have been carried out; look before you repeat it.
 */
export type Repeat = "now" | "new_token" | "corrected" | "unknown";

export interface FailureFacts {
  /** As in the list of errors; `NO_ANSWER` if none came, `HTTP_503` and the like if the answer was not the service's. */
  readonly code: string;
  readonly message: string;
  readonly repeat: Repeat;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** Quote it to support; null without an answer. */
  readonly requestId: string | null;
  /** The path of the field that caused it, as sent: `items[2].quantity`. */
  readonly field: string | null;
  /** The token of the request, for a repeat; null if the call takes none. */
  readonly token: string | null;
  /** Why no answer came. */
  readonly cause?: unknown;
}

/** A call that was refused, failed, or got no answer. It never contains the key. */
export class PaymentsError extends Error implements FailureFacts {
  override readonly name = "PaymentsError";
  readonly code: string;
  readonly repeat: Repeat;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly field: string | null;
  readonly token: string | null;

  constructor({ message, cause, ...facts }: FailureFacts) {
    super(message, cause === undefined ? {} : { cause });
    this.code = facts.code;
    this.repeat = facts.repeat;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.field = facts.field;
    this.token = facts.token;
  }
}
