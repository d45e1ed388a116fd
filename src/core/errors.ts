import * as z from "zod";
import { environmentSchema } from "./environment.ts";

/** True once the key has failed so often with this error that it is terminal: every repeat gets the stored error. */
const terminal = z.literal(true).optional();

/**
 * All errors of an operation, as a closed union. Domain modules throw it inside a {@link ServiceFailure}. Each surface
 * maps every kind to its own code (a new kind does not compile until it is mapped).
 * It is a schema because it is also sent through Durable Object calls and stored with failed attempts. It is built when first used.
 */
export const serviceErrorSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    /** `field` is the path as sent, for example `items[2].quantity`. */
    z.object({ kind: z.literal("invalid_input"), message: z.string(), field: z.string().optional() }),
    /**
     * `location` is where the key was expected. `isBearer`: something came as `Authorization: Bearer`. `isElsewhere`: something came
     * where this operation does not look.
     */
    z.object({ kind: z.literal("key_missing"), location: z.enum(["header", "body"]), isBearer: z.boolean(), isElsewhere: z.boolean() }),
    /**
     * The key is malformed, unknown or revoked, or its partner or employee is disabled. The answer does not say which, but for what
     * stands around a key: quotes, the word Bearer, or blanks.
     */
    z.object({ kind: z.literal("key_invalid"), around: z.enum(["quotes", "the word Bearer", "blanks"]).optional() }),
    /** No key was sent to a query of the second generation, which has no code of its own for that. */
    z.object({ kind: z.literal("query_key_missing"), isBearer: z.boolean() }),
    /** `holder`: what lacks it, the key or the grant of an agent. */
    z.object({ kind: z.literal("permission_missing"), permission: z.string(), holder: z.enum(["key", "agent"]) }),
    /** The caller is an agent whose grant is for another environment alone. */
    z.object({ kind: z.literal("environment_missing"), environment: environmentSchema }),
    z.object({ kind: z.literal("product_not_found"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("product_of_another_partner"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("product_not_approved"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("product_damaged"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("mixed_environment"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("code_already_exists"), code: z.string() }),
    /** No event for it has been received yet, or it does not exist. Only its own account can tell which. */
    z.object({ kind: z.literal("subscription_not_known") }),
    z.object({ kind: z.literal("subscription_of_another_partner") }),
    z.object({ kind: z.literal("subscription_not_active") }),
    /** The processor refuses the change. `message` is its reason and is safe to show. */
    z.object({ kind: z.literal("subscription_not_changeable"), message: z.string() }),
    /** It does not exist or belongs to another partner. The caller must not learn which. */
    z.object({ kind: z.literal("payment_not_found") }),
    /** `withCurrency`: the effective currency is a part of what was compared. */
    z.object({ kind: z.literal("key_reused_with_different_payload"), withCurrency: z.literal(true).optional() }),
    z.object({ kind: z.literal("operation_in_progress") }),
    z.object({ kind: z.literal("previous_attempt_failed") }),
    z.object({ kind: z.literal("short_link_unavailable") }),
    z.object({ kind: z.literal("upstream_timeout"), upstream: z.enum(["processor", "bank"]), terminal }),
    /** `message` is safe to show: it comes from a rejection of our request and contains no secret. */
    z.object({
      kind: z.literal("upstream_failed"),
      upstream: z.enum(["processor", "bank"]),
      code: z.string().nullable(),
      message: z.string(),
      terminal,
    }),
    /** Too many requests. It is no failure of an operation: the interface has no code for it. `retryAfter` in seconds. */
    z.object({ kind: z.literal("rate_limited"), message: z.string(), retryAfter: z.int() }),
    z.object({ kind: z.literal("internal"), terminal }),
  ]),
);

export type ServiceError = z.infer<typeof serviceErrorSchema>;

/** An error that operations answer with a code of their generation. Every surface answers the other one with HTTP 429. */
export type OperationError = Exclude<ServiceError, { kind: "rate_limited" }>;

/**
 * What a failed attempt has done upstream. `none`: the failed call did nothing; earlier steps of the attempt stand.
 * `unknown`: the upstream may have carried out the call. `compensated`: all earlier steps have been undone.
 * `compensation_pending`: earlier steps must still be undone.
 */
type SideEffects = "none" | "unknown" | "compensated" | "compensation_pending";

/** The exception that carries a {@link ServiceError}. */
export class ServiceFailure extends Error {
  readonly error: ServiceError;
  readonly sideEffects: SideEffects;

  constructor(error: ServiceError, options: { sideEffects?: SideEffects; cause?: unknown } = {}) {
    super(error.kind, { cause: options.cause });
    this.name = "ServiceFailure";
    this.error = error;
    this.sideEffects = options.sideEffects ?? "none";
  }
}

/** Throws `invalid_input`. `field` is the path as sent. */
export function rejectInput(message: string, field?: string): never {
  throw new ServiceFailure(field === undefined ? { kind: "invalid_input", message } : { kind: "invalid_input", message, field });
}

/** The error that a surface shows for a thrown value. All except {@link ServiceFailure} become `internal`. */
export function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceFailure ? thrown.error : { kind: "internal" };
}

/**
 * For work that finds out what an earlier call has done: if it fails, that stays unknown, even if its own failure is
 * definite.
 */
export async function orUnknown<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ServiceFailure) || cause.sideEffects === "unknown") throw cause;
    throw new ServiceFailure(cause.error, { sideEffects: "unknown", cause });
  }
}
