import * as z from "zod";
import { environmentSchema } from "./environment.ts";

/** True if the key has failed so often with this error that every repeat gets the stored error. */
const terminal = z.literal(true).optional();
/** The key that operation 1 has made for a request without one: a repeat with it makes nothing twice. */
const madeKey = z.string().optional();

/**
 * All errors of an operation, as a closed union. Domain modules throw them in a {@link ServiceFailure}. Each surface
 * maps every kind to its own code (a new kind does not compile until it is mapped). It is a schema because errors also
 * pass through Durable Object calls and are stored with failed attempts. It is built on first use.
 */
export const serviceErrorSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    /** `field` is the path as sent, for example `items[2].quantity`. */
    z.object({ kind: z.literal("invalid_input"), message: z.string(), field: z.string().optional() }),
    /**
     * `location` is where the key was expected. `isBearer`: `Authorization: Bearer` was sent. `isElsewhere`: a key came
     * in a place where this operation does not look.
     */
    z.object({ kind: z.literal("key_missing"), location: z.enum(["header", "body"]), isBearer: z.boolean(), isElsewhere: z.boolean() }),
    /**
     * The key is malformed, unknown or revoked, or its partner or employee is disabled. The answer does not say which.
     * It only names what was sent around the key and does not belong there.
     */
    z.object({
      kind: z.literal("key_invalid"),
      around: z.enum(["quotes", "the word Bearer", "blanks", "the second, different value"]).optional(),
    }),
    /** No key was sent to a query of the second generation. These queries have no error code of their own for it. */
    z.object({ kind: z.literal("query_key_missing"), isBearer: z.boolean() }),
    /** `holder` lacks the permission: a key, the grant of an agent, or a person. */
    z.object({ kind: z.literal("permission_missing"), permission: z.string(), holder: z.enum(["key", "agent", "person"]) }),
    /** The caller is an agent whose grant covers the other environment only. */
    z.object({ kind: z.literal("environment_missing"), environment: environmentSchema }),
    z.object({ kind: z.literal("product_not_found"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("product_of_another_partner"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("product_not_approved"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("product_damaged"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("mixed_environment"), productId: z.string(), field: z.string() }),
    z.object({ kind: z.literal("code_already_exists"), code: z.string() }),
    /**
     * No event about the subscription has been received, or it does not exist. Only the processor's account can tell
     * which.
     */
    z.object({ kind: z.literal("subscription_not_known") }),
    z.object({ kind: z.literal("subscription_of_another_partner") }),
    z.object({ kind: z.literal("subscription_not_active") }),
    /** The processor refuses the change. `message` is its reason and is safe to show. */
    z.object({ kind: z.literal("subscription_not_changeable"), message: z.string() }),
    /** It does not exist or belongs to another partner. The caller must not learn which. */
    z.object({ kind: z.literal("payment_not_found") }),
    /** `withCurrency`: the comparison included the effective currency. */
    z.object({ kind: z.literal("key_reused_with_different_payload"), withCurrency: z.literal(true).optional() }),
    z.object({ kind: z.literal("operation_in_progress") }),
    z.object({ kind: z.literal("previous_attempt_failed") }),
    z.object({ kind: z.literal("short_link_unavailable"), madeKey }),
    z.object({ kind: z.literal("upstream_timeout"), upstream: z.enum(["processor", "bank"]), terminal, madeKey }),
    /** `message` is safe to show: it comes from a rejection of our request and contains no secret. */
    z.object({
      kind: z.literal("upstream_failed"),
      upstream: z.enum(["processor", "bank"]),
      code: z.string().nullable(),
      message: z.string(),
      terminal,
    }),
    /** Too many requests. The interface has no operation error for it. `retryAfter` in seconds. */
    z.object({ kind: z.literal("rate_limited"), message: z.string(), retryAfter: z.int() }),
    z.object({ kind: z.literal("internal"), terminal, madeKey }),
  ]),
);

export type ServiceError = z.infer<typeof serviceErrorSchema>;

/**
 * The errors that operations answer with a code of their generation. For the remaining one, every surface answers HTTP
 * 429.
 */
export type OperationError = Exclude<ServiceError, { kind: "rate_limited" }>;

/**
 * The upstream side effects of a failed attempt. `none`: the failed call did nothing; earlier steps of the attempt
 * stand. `unknown`: the upstream may have carried out the call. `compensated`: all earlier steps have been undone.
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

/** The message of an upstream that is down. Cures recognise it. */
export const OUTAGE = "is unreachable or not working";

/**
 * Whether an upstream did not answer, or not as it should: the same call may succeed later. A refusal has a code, and
 * stays one.
 */
export function isOutage(thrown: unknown): boolean {
  const { kind, code } = { code: null, ...toServiceError(thrown) };
  return kind === "upstream_timeout" || (kind === "upstream_failed" && code === null);
}

/**
 * For a query about the outcome of an earlier call. If the query fails, the outcome stays unknown, even if the query's
 * own failure is definite.
 */
export async function orUnknown<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ServiceFailure) || cause.sideEffects === "unknown") throw cause;
    throw new ServiceFailure(cause.error, { sideEffects: "unknown", cause });
  }
}
