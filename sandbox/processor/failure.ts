interface ErrorBody {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  param?: string;
}

/** An error in the processor's wire format. An error with a code has the URL of the code's documentation. */
export class ProcessorError extends Error {
  override readonly name = "ProcessorError";
  readonly status: number;
  readonly body: { readonly error: ErrorBody & { readonly doc_url?: string } };
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: ErrorBody, headers: Record<string, string> = {}) {
    super(error.message);
    this.status = status;
    this.body = { error: error.code === undefined ? error : { ...error, doc_url: docUrlOf(error.code) } };
    this.headers = headers;
  }
}

function docUrlOf(code: string): string {
  return `https://docs.stripe.com/error-codes/${code.replaceAll("_", "-")}`;
}

/** 400 for a request that cannot be carried out. */
export function invalidRequest(message: string, param?: string, code?: string): ProcessorError {
  return new ProcessorError(400, {
    type: "invalid_request_error",
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });
}

/** 404 for an object that does not exist. */
export function missing(message: string, param = "id"): ProcessorError {
  return new ProcessorError(404, { type: "invalid_request_error", code: "resource_missing", param, message });
}
