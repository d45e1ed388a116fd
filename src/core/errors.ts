import { z } from "zod";

/** Whether the key has failed so often in this way that it answers so for good, and nothing is tried any more. */
const spent = z.literal(true).optional();

/**
 * Everything that can go wrong in an operation, as a closed union. Domain rooms throw it inside a
 * {@link ServiceFailure}; each surface maps every kind to its own code (a new kind does not compile until it does).
 * It is a schema because it also crosses the Durable Object's border and is stored with failed attempts.
 */
export const serviceErrorSchema = z.discriminatedUnion("kind", [
  /** `field` is the path as sent, for example `items[2].quantity`. */
  z.object({ kind: z.literal("invalid_input"), message: z.string(), field: z.string().optional() }),
  /** `place` is where it should have been. */
  z.object({ kind: z.literal("key_missing"), place: z.enum(["header", "body"]) }),
  /** Malformed, unknown or revoked, or its partner or employee is disabled: the caller learns no more than that. */
  z.object({ kind: z.literal("key_invalid") }),
  z.object({ kind: z.literal("permission_missing"), permission: z.string() }),
  z.object({ kind: z.literal("product_not_found"), productId: z.string(), field: z.string() }),
  z.object({ kind: z.literal("product_of_another_partner"), productId: z.string(), field: z.string() }),
  z.object({ kind: z.literal("product_not_approved"), productId: z.string(), field: z.string() }),
  z.object({ kind: z.literal("product_damaged"), productId: z.string(), field: z.string() }),
  z.object({ kind: z.literal("mixed_environment"), productId: z.string(), field: z.string() }),
  z.object({ kind: z.literal("code_already_exists"), code: z.string() }),
  /** No event has told of it yet, or it does not exist: only its own account could tell the two apart. */
  z.object({ kind: z.literal("subscription_not_known") }),
  z.object({ kind: z.literal("subscription_of_another_partner") }),
  z.object({ kind: z.literal("subscription_not_active") }),
  /** The processor will not have it changed, and says why; `message` is fit to be shown. */
  z.object({ kind: z.literal("subscription_not_changeable"), message: z.string() }),
  /** It does not exist, or is another partner's: nobody may learn which. */
  z.object({ kind: z.literal("payment_not_found") }),
  z.object({ kind: z.literal("key_reused_with_different_payload") }),
  z.object({ kind: z.literal("operation_in_progress") }),
  z.object({ kind: z.literal("previous_attempt_failed") }),
  z.object({ kind: z.literal("short_link_unavailable") }),
  z.object({ kind: z.literal("upstream_timeout"), upstream: z.enum(["processor", "bank"]), spent }),
  /** `message` is fit to be shown: it comes from a refusal of our request and carries no secret. */
  z.object({
    kind: z.literal("upstream_failed"),
    upstream: z.enum(["processor", "bank"]),
    code: z.string().nullable(),
    message: z.string(),
    spent,
  }),
  z.object({ kind: z.literal("internal"), spent }),
]);

export type ServiceError = z.infer<typeof serviceErrorSchema>;

/**
 * What a failure leaves behind, for whoever tries again. `nothing`: what failed was not done, and what was made before
 * it stands. `unknown`: the upstream may have done what it was asked all the same. `undone`: all that was made before
 * has been taken back. `leftovers`: it should have been, and is still to be.
 */
type Leaves = "nothing" | "unknown" | "undone" | "leftovers";

/** A {@link ServiceError} on its way up. */
export class ServiceFailure extends Error {
  readonly error: ServiceError;
  readonly leaves: Leaves;

  constructor(error: ServiceError, options: { leaves?: Leaves; cause?: unknown } = {}) {
    super(error.kind, { cause: options.cause });
    this.name = "ServiceFailure";
    this.error = error;
    this.leaves = options.leaves ?? "nothing";
  }
}

/** Throws `invalid_input` for a field, named by its path as sent. */
export function rejectInput(message: string, field?: string): never {
  throw new ServiceFailure(field === undefined ? { kind: "invalid_input", message } : { kind: "invalid_input", message, field });
}

/** What a surface shows of a thrown value: anything but a {@link ServiceFailure} is `internal`. */
export function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceFailure ? thrown.error : { kind: "internal" };
}
