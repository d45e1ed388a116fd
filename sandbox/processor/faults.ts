import type { Fault } from "../state.ts";
import { invalidRequest, ProcessorError } from "./failure.ts";
import { type Form, list } from "./form.ts";

/** Whether a fault applies: `refuse_method` applies only to requests that contain the method. */
export function concerns(fault: Fault, form: Form): boolean {
  return fault.kind !== "refuse_method" || list(form, "payment_method_types").includes(fault.method ?? "");
}

/** A fault's error response in the processor's format; undefined for a fault without an error response. */
export function errorOf(fault: Fault, form: Form): ProcessorError | undefined {
  switch (fault.kind) {
    case "http_500":
      return new ProcessorError(500, { type: "api_error", message: "An error occurred while processing your request." });
    case "http_429": {
      const headers = fault.retry_after === undefined ? {} : { "Retry-After": String(fault.retry_after) };
      return new ProcessorError(
        429,
        { type: "invalid_request_error", code: "rate_limit", message: "Too many requests hit the API too quickly." },
        headers,
      );
    }
    case "http_400":
      return invalidRequest("The request was refused by an injected fault.", undefined, "injected_fault");
    case "http_403":
      return new ProcessorError(403, {
        type: "invalid_request_error",
        message: "The provided key does not have the required permissions for this endpoint.",
      });
    case "refuse_method":
      return invalidRequest(
        list(form, "payment_method_types").length === 1
          ? "All types provided in payment_method_types are invalid. Please ensure the provided types are activated in your dashboard."
          : `The payment method type provided: ${fault.method ?? ""} is invalid. Please ensure the provided type is activated in your dashboard.`,
        "payment_method_types",
      );
    case "bank_error":
    case "timeout":
    case "reset":
    case "reset_after":
      return undefined;
  }
}
