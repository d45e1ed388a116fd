import type { MethodIds } from "./client.ts";
import { PaymentsError } from "./failure.ts";
import type { FailureCode } from "./types.ts";

/**
 * Whether an error is a failure of a call; then its `code` is one of the codes that this operation can answer, or of a call that got
 * no answer: `isFailureOf("links.createForCart", error) && error.code === "PRODUCT_NOT_APPROVED"`.
 */
export function isFailureOf<Name extends keyof MethodIds>(
  _method: Name,
  error: unknown,
): error is PaymentsError & { readonly code: FailureCode<MethodIds[Name]> | "NO_ANSWER" } {
  return error instanceof PaymentsError;
}
