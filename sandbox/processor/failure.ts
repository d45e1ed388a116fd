interface ErrorBody {
  type: "invalid_request_error" | "api_error" | "idempotency_error" | "rate_limit_error";
  message: string;
  code?: string;
  param?: string;
}

/** An error in the processor's wire format. */
export class ProcessorError extends Error {
  override readonly name = "ProcessorError";
  readonly status: number;
  readonly body: { readonly error: ErrorBody };
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: ErrorBody, headers: Record<string, string> = {}) {
    super(error.message);
    this.status = status;
    this.body = { error };
    this.headers = headers;
  }
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
export function missing(message: string): ProcessorError {
  return new ProcessorError(404, { type: "invalid_request_error", code: "resource_missing", param: "id", message });
}
