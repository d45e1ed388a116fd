import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { codesOf, failureSchema } from "../../../src/http/failures.ts";
import { type ApiGeneration, limitedFailure } from "../../../src/http/generation.ts";
import type { Operation } from "../../../src/http/operation.ts";
import { statusOf, toStatusFailure } from "../../../src/http/v1/errors.ts";
import { v1 } from "../../../src/http/v1/generation.ts";
import type { StatusOperation } from "../../../src/http/v1/status-operation.ts";
import { v2 } from "../../../src/http/v2/generation.ts";
import { samplesFor } from "./samples.ts";

const REQUEST_ID = "0d9c5b1e6f2a4f0e";

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** The failures of an operation with HTTP 200: the shape of its failure body, and an example of each code. */
export function describeFailures(operation: Operation): { schema: z.ZodObject; examples: Examples } {
  const { generation, failures } = operation;
  const samples = samplesFor(operation);
  const codes = codesOf(operation);
  const schema = failureSchema(operation);
  const examples = codes.map((code) => {
    const kind = failures.find((candidate) => generation.codeOf(candidate) === code) ?? "internal";
    return [code, { summary: code, value: generation.toFailure(samples[kind], REQUEST_ID) }] as const;
  });
  return {
    schema: schema.describe(codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(", ")),
    examples: Object.fromEntries(examples),
  };
}

/** The failure body of operations with real HTTP statuses. */
export const statusFailure = z.object({ success: z.literal(false), error: z.string() }).meta({ id: "StatusFailure" });

const limitedSchema = ({ name, limitedCode }: ApiGeneration) =>
  z
    .object({ success: z.literal(false), error_code: z.literal(limitedCode), error_message: z.string() })
    .meta({ id: `${name.toUpperCase()}Limited` });

const LIMITED_SCHEMAS = { v1: limitedSchema(v1), v2: limitedSchema(v2) };

const LIMITED = "Too many creations in this minute. Nothing was done. Try again in a minute.";

/**
 * Rate limiting: HTTP 429 for every operation. `generation` determines the failure body; null for operations 3 and 4.
 */
export function tooManyRequests(generation: ApiGeneration | null): ZodOpenApiResponseObject {
  const schema = generation === null ? statusFailure : LIMITED_SCHEMAS[generation.name];
  return {
    description: "Too many requests; nothing was done",
    headers: z.object({ "Retry-After": z.int().describe("Seconds to wait") }),
    content: {
      "application/json": {
        schema,
        example: generation === null ? { success: false, error: LIMITED } : limitedFailure(generation, LIMITED),
      },
    },
  };
}

/** The failures of operations 3 and 4: an example of each cause, grouped by HTTP status. */
export function describeStatusFailures(operation: StatusOperation): ReadonlyMap<number, Examples> {
  const samples = samplesFor(operation);
  const byStatus = Map.groupBy(operation.failures, statusOf);
  const exampleOf = (kind: (typeof operation.failures)[number]) =>
    [kind, { summary: kind.replaceAll("_", " "), value: toStatusFailure(samples[kind], REQUEST_ID).body }] as const;
  return new Map([...byStatus].map(([status, kinds]) => [status, Object.fromEntries(kinds.map(exampleOf))]));
}
