import { z } from "zod";
import { type ServiceError, toServiceError } from "../core/errors.ts";
import type { Operation } from "./operation.ts";
import { toV1Failure, type V1Failure, v1CodeOf } from "./v1/errors.ts";
import { toV2Failure, type V2Failure, v2CodeOf } from "./v2/errors.ts";

type Generation = Operation["generation"];
type Kind = ServiceError["kind"];

/** The failure body of an operation that answers HTTP 200 whatever becomes of it. Anything unforeseen is `internal`. */
export function failureOf(generation: Generation, thrown: unknown, requestId: string): V1Failure | V2Failure {
  const error = toServiceError(thrown);
  return generation === "v1" ? toV1Failure(error, requestId) : toV2Failure(error, requestId);
}

/** A kind of error as a generation calls it. */
export function codeOf(generation: Generation, kind: Kind): string {
  return generation === "v1" ? v1CodeOf(kind) : v2CodeOf(kind);
}

/** The codes that an operation can fail with, each once. */
export function codesOf({ generation, failures }: Pick<Operation, "generation" | "failures">): string[] {
  return [...new Set(failures.map((kind) => codeOf(generation, kind)))];
}

const details = z.object({ field: z.string().describe("The path of the offending field, as sent: items[2].quantity") }).optional();

/** The shape of an operation's failures (interface, "Errors"). */
export function failureSchema(operation: Pick<Operation, "generation" | "failures">): z.ZodObject {
  return z.object({
    success: z.literal(false),
    error_code: z.enum(codesOf(operation)),
    error_message: z.string().describe("For people; it may change, the code does not"),
    ...(operation.generation === "v1" ? {} : { details }),
  });
}

/** The shape of an operation's success. */
export function successSchema({ output }: Pick<Operation, "output">): z.ZodObject {
  return z.object({ success: z.literal(true), ...output.shape });
}
