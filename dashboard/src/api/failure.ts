import { texts } from "../texts/index.ts";

interface FailureFields {
  /** The HTTP status; 0 if the Worker was not reached. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The path of the offending field, such as `items[0].quantity`. */
  readonly field: string | null;
  /** What support finds the call by. */
  readonly requestId: string | null;
}

/** A call that the Worker refused, or that did not reach it. */
export class CallFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly requestId: string | null;

  constructor({ status, code, message, field, requestId }: FailureFields) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.requestId = requestId;
  }
}

/**
 * The failure in an answer that is not a success. No call answers with a redirect, so one comes from Cloudflare Access before
 * the Worker: the person's sign-in there has ended. Calls are made with `redirect: "manual"`, or the browser would follow it
 * to another origin and see a network failure.
 */
export async function failureOf(response: Response): Promise<CallFailure> {
  if (response.type === "opaqueredirect")
    return new CallFailure({ status: 401, code: "SIGNED_OUT", message: texts.failure.signedOut, field: null, requestId: null });
  const said: unknown = await response.json().catch(() => null);
  const requestId = response.headers.get("X-Request-Id");
  return new CallFailure({
    status: response.status,
    code: textIn(said, "error_code") ?? "UNKNOWN",
    message: textIn(said, "error_message") ?? textIn(said, "error") ?? texts.failure.unknown(response.status),
    field: textIn(isObject(said) ? said.details : null, "field"),
    requestId,
  });
}

/** The HTTP status of a refused call; null for anything else that was thrown. */
export function statusOf(thrown: unknown): number | null {
  return thrown instanceof CallFailure ? thrown.status : null;
}

/** The words of any thrown value for a person. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : texts.failure.unknown(0);
}

function textIn(value: unknown, name: string): string | null {
  const found = isObject(value) ? value[name] : null;
  return typeof found === "string" ? found : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
