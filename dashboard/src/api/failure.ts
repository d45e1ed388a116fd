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

/** What a thrown value says, as it says it: the Worker's sentences are English. */
export function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : texts.failure.unknown(0);
}

/** The words of any thrown value for a person, in the language of the pages: by the code of a refusal and the field that it names. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof CallFailure ? refusalText(thrown) : sentenceOf(thrown);
}

/** What is said of a refusal. `isAtField`: it stands at its field, which needs no name then. */
export function refusalText({ code, field, message }: CallFailure, isAtField = false): string {
  const sentence = field === null ? message : message.replace(`${field}: `, "");
  const label = isAtField ? null : fieldLabel(field);
  const said = label === null && !isAtField ? message : sentence;
  return texts.failure.refused(code, label, said.charAt(0).toUpperCase() + said.slice(1));
}

/** The label of a field that a refusal names: `items[0].quantity` is called as `quantity`. */
function fieldLabel(field: string | null): string | null {
  const [name = ""] = /\w+$/.exec(field ?? "") ?? [];
  return texts.failure.fields[name] ?? null;
}

function textIn(value: unknown, name: string): string | null {
  const found = isObject(value) ? value[name] : null;
  return typeof found === "string" ? found : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
