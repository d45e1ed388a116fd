import type { ServiceError } from "../../core/errors.ts";

/** The failure body of the second generation (interface, "Errors"). The HTTP status is 200 whatever it says. */
export interface V2Failure {
  readonly success: false;
  readonly error_code: string;
  readonly error_message: string;
  readonly details?: Readonly<Record<string, string>>;
}

type Row<Kind extends ServiceError["kind"]> = (error: Extract<ServiceError, { kind: Kind }>) => Omit<V2Failure, "success">;

const row = (error_code: string, error_message: string, details?: Record<string, string>) =>
  details === undefined ? { error_code, error_message } : { error_code, error_message, details };

/** Every kind of error, said in this generation's words. A kind without a row does not compile. */
const ROWS: { readonly [Kind in ServiceError["kind"]]: Row<Kind> } = {
  invalid_input: ({ message, field }) => row("INVALID_INPUT", message, field === undefined ? undefined : { field }),
  key_missing: () => row("AUTH_REQUIRED", "Send your API key in the header X-Partner-Api-Key."),
  key_invalid: () => row("INVALID_API_KEY", "The API key is not valid, or its partner account or employee is disabled."),
  permission_missing: ({ permission }) => row("PERMISSION_DENIED", `The API key lacks the permission ${permission}.`),
  product_not_found: ({ productId, field }) => row("PRODUCT_NOT_FOUND", `There is no product ${productId}.`, { field }),
  product_of_another_partner: ({ productId, field }) =>
    row("CROSS_TENANT_ATTEMPT", `The product ${productId} belongs to another partner.`, { field }),
  product_not_approved: ({ productId, field }) =>
    row("PRODUCT_NOT_APPROVED", `The product ${productId} has not been approved by moderation yet.`, { field }),
  product_damaged: ({ productId, field }) =>
    row("INTERNAL_ERROR", `The catalogue data of the product ${productId} is damaged. Support can mend it.`, { field }),
  key_reused_with_different_payload: () =>
    row(
      "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
      "This client_token was used before for another request. Use a new token for a new request.",
    ),
  operation_in_progress: () =>
    row("OPERATION_IN_PROGRESS", "The first request with this client_token is still running. Repeat this request in a moment."),
  previous_attempt_failed: () =>
    row("PREVIOUS_ATTEMPT_FAILED", "The first request with this client_token failed. Repeat the request with a new token."),
  short_link_unavailable: () =>
    row(
      "SHORT_URL_UNAVAILABLE",
      "The payment link exists, but its short link could not be issued. Repeat the same request: only the short link is made anew.",
    ),
  upstream_timeout: ({ upstream }) =>
    row("INTEGRATION_TIMEOUT", `The ${NAMES[upstream]} did not answer in time. Repeat the request with a new client_token.`),
  upstream_failed: ({ upstream, message }) =>
    row("INTEGRATION_UPSTREAM_ERROR", `The ${NAMES[upstream]} did not carry out the request: ${message}`),
  internal: () => row("INTERNAL_ERROR", "Something failed on our side. Repeat the same request; nothing is made twice."),
};

const NAMES = { processor: "card processor", bank: "bank" } as const;

export function toV2Failure(error: ServiceError): V2Failure {
  // The table's own type pairs each kind with its row; that pairing does not survive the look-up by a union.
  const say = ROWS[error.kind] as Row<typeof error.kind>;
  return { success: false, ...say(error as never) };
}
