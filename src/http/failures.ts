import * as z from "zod";
import type { Operation } from "./operation.ts";

/** The distinct codes that an operation can fail with. */
export function codesOf({ generation, failures }: Pick<Operation, "generation" | "failures">): string[] {
  return [...new Set(failures.map((kind) => generation.codeOf(kind)))];
}

/** The shape of an operation's failures (interface E.1). */
export function failureSchema(operation: Pick<Operation, "generation" | "failures">): z.ZodObject {
  return z.object({
    success: z.literal(false),
    error_code: z.enum(codesOf(operation)),
    error_message: z.string().describe("For people. It may change; the code does not"),
    ...operation.generation.failureFields,
  });
}

/** The shape of an operation's success. */
export function successSchema({ output }: Pick<Operation, "output">): z.ZodObject {
  return z.object({ success: z.literal(true), ...output.shape });
}
