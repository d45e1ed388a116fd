/**
 * A refused call: its caller is not signed in (401) or may not make it (403), the object does not exist (404), a rule
 * forbids the call (409), the path has no such method (405), or the object may be in an unreachable cell (502). The message says what to do.
 */
export class CallRefusal extends Error {
  override readonly name = "CallRefusal";
  readonly status: 401 | 403 | 404 | 405 | 409 | 502;
  /** The error code, if another than that of the status. */
  readonly code: "PASSKEY_REQUIRED" | null;

  constructor(status: CallRefusal["status"], message: string, code: CallRefusal["code"] = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws CallRefusal 404 */
export function notFound(message: string): never {
  throw new CallRefusal(404, message);
}

/** @throws CallRefusal 409 */
export function conflict(message: string): never {
  throw new CallRefusal(409, message);
}
