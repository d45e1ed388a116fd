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
 * A generation of the API: where its operations are, and how they say their errors. Its idempotency protocol belongs to
 * each workflow (idempotency/first-generation.ts and second-generation.ts). Implemented by v1/generation.ts and
 * v2/generation.ts.
 */
export interface ApiGeneration {
  readonly name: "v1" | "v2";
  readonly title: string;
  /** The path before an operation's name; it contains no version (interface G.1, G.2, G.3). */
  readonly prefix: string;
  /** Keys of the other generation, and what they are called here: who sends one believes to be protected by it. */
  readonly otherKeys: Readonly<Record<string, string>>;
  /** The code for a kind of error. */
  codeOf(kind: OperationError["kind"]): string;
  /** Builds the failure body. Support finds our log lines by `requestId`. */
  toFailure(error: OperationError, requestId: string): Failure;
  /** The fields of a failure body beside `success`, `error_code` and `error_message`. */
  readonly failureFields: z.ZodRawShape;
}
