/**
 * A call that is refused: there is no such thing (404), a rule forbids it (409), or it may be in a cell that is out of reach (502). The
 * message says what to do.
 */
export class OpsRefusal extends Error {
  override readonly name = "OpsRefusal";
  readonly status: 403 | 404 | 409 | 502;

  constructor(status: 403 | 404 | 409 | 502, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws OpsRefusal 404 */
export function notFound(message: string): never {
  throw new OpsRefusal(404, message);
}

/** @throws OpsRefusal 409 */
export function conflict(message: string): never {
  throw new OpsRefusal(409, message);
}
