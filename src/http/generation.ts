import type { z } from "zod";
import type { OperationError } from "../core/errors.ts";

/** The failure body of an operation that always answers HTTP 200 (interface E.1). */
export interface Failure {
  readonly success: false;
  readonly error_code: string;
  readonly error_message: string;
  readonly details?: { readonly field: string };
}

/**
 * A generation of the API: its paths and its error format. Its idempotency protocol belongs to each workflow
 * (idempotency/v1-protocol.ts and v2-protocol.ts). Implemented by v1/generation.ts and v2/generation.ts.
 */
export interface ApiGeneration {
  readonly name: "v1" | "v2";
  readonly title: string;
  /** The path before an operation's name; it contains no version (interface G.1, G.2, G.3). */
  readonly prefix: string;
  /** The field with the idempotency key. */
  readonly keyField: string;
  /** Whether an unknown field is refused. */
  readonly isStrict: boolean;
  /**
   * The key fields of the other generation, with their names here: a client that sends one expects that repeats are
   * safe.
   */
  readonly otherKeys: Readonly<Record<string, string>>;
  /** The code for a kind of error. */
  codeOf(kind: OperationError["kind"]): string;
  /** The code of HTTP 429. The interface has no operation error for it. */
  readonly limitedCode: string;
  /** Builds the failure body. Support finds the log lines by `requestId`. */
  toFailure(error: OperationError, requestId: string): Failure;
  /** The fields of a failure body besides `success`, `error_code` and `error_message`. */
  readonly failureFields: z.ZodRawShape;
}

/** The body of HTTP 429 for an operation with the failure body of its generation (docs/interface.md G.4). */
export function limitedFailure({ limitedCode }: ApiGeneration, message: string): Failure {
  return { success: false, error_code: limitedCode, error_message: message };
}
