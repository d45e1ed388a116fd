import * as z from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import { LOCAL_KEY } from "../../../sandbox/local-settings.ts";
import { previewOf } from "../../../src/core/preview.ts";
import type { KeyLocation } from "../../../src/http/authenticate.ts";
import { DRY_RUN_HEADER, DRY_RUN_TYPE, type DryRunAnswer, dryRunAnswer, viewPreview } from "../../../src/http/dry-run.ts";
import { successSchema } from "../../../src/http/failures.ts";
import { IDEMPOTENCY_HEADER } from "../../../src/http/headers.ts";
import type { Operation } from "../../../src/http/operation.ts";
import { v1 } from "../../../src/http/v1/generation.ts";
import type { StatusOperation } from "../../../src/http/v1/status-operation.ts";
import { typeNameOf } from "./components.ts";
import { describeFailures, describeStatusFailures, statusFailure, tooManyRequests } from "./failures.ts";

/** An operation's entry in the API description. */
interface Described {
  readonly path: string;
  readonly operation: ZodOpenApiOperationObject;
}

const requestIdHeader = {
  "X-Request-Id": { description: "Quote it to support", schema: { type: "string" as const } },
};

/** Describes an operation that always answers HTTP 200. */
export function describeOperation(operation: Operation): Described {
  const { name, generation, path, key, input, bodyless, example } = operation;
  const title = typeNameOf(name);
  const request = withKey(input, key).meta({ id: `${title}Request` });
  const success = successSchema(operation).meta({ id: `${title}Success` });
  const failures = describeFailures(operation);
  const failure = failures.schema.meta({ id: `${title}Failure` });
  const answer: ZodOpenApiResponseObject = {
    description: "Whatever became of it: look at `success`, not at the status",
    headers: requestIdHeader,
    content: {
      "application/json": {
        schema: z.discriminatedUnion("success", [success, failure]).meta({ title: `${title}Answer` }),
        examples: { success: { summary: "Success", value: { success: true, ...example.response } }, ...failures.examples },
      },
      ...(operation.hasDryRun ? { [DRY_RUN_TYPE]: { schema: dryRun, example: DRY_RUN_EXAMPLE } } : {}),
    },
  };
  return {
    path,
    operation: {
      ...commonPartsOf(operation),
      tags: [generation.title],
      ...headersOf(operation),
      requestBody: {
        required: !bodyless,
        content: { "application/json": { schema: request, example: exampleWithKey(example.request, key) } },
      },
      responses: { "200": answer, "429": tooManyRequests(operation.generation) },
    },
  };
}

/** Describes an operation with real HTTP statuses. */
export function describeStatusOperation(operation: StatusOperation): Described {
  const { name, path, key, query, bodyType, input, output, example } = operation;
  const title = typeNameOf(name);
  const fields = bodyType === "application/json" ? input : eachShown(input, example.request, "field");
  const request = withKey(fields, key).meta({ id: `${title}Request` });
  const headers = { ...requestIdHeader, ...(operation.deprecated ? deprecationHeaders : {}) };
  const succeeded: ZodOpenApiResponseObject = {
    description: "It was carried out",
    headers,
    content: { "application/json": { schema: output.meta({ id: `${title}Success` }), example: example.response } },
  };
  const failed = [...describeStatusFailures(operation)].map(([status, examples]): [string, ZodOpenApiResponseObject] => [
    String(status),
    {
      description: Object.values(examples)
        .map(({ summary }) => summary)
        .join(", "),
      headers,
      content: { "application/json": { schema: statusFailure, examples } },
    },
  ]);
  return {
    path,
    operation: {
      ...commonPartsOf(operation),
      tags: [v1.title],
      deprecated: operation.deprecated,
      requestParams: { query: eachShown(query, example.query, "param") },
      requestBody: { required: true, content: { [bodyType]: { schema: request, example: exampleWithKey(example.request, key) } } },
      responses: { "200": succeeded, ...Object.fromEntries(failed), "429": tooManyRequests(null) },
    },
  };
}

const DRY_RUN_EXAMPLE: DryRunAnswer = {
  success: true,
  dry_run: true,
  outcome: "create",
  would_make: viewPreview(
    previewOf({
      kind: "payment_link",
      environments: ["live"],
      price: { amount: 7700, currency: "USD", every: null, trialDays: 0 },
      lines: [{ productId: "prod_acmeUsd1", name: "Guide", quantity: 2, unitAmount: 3850, amount: 7700 }],
      checkout: { paymentMethods: ["card", "link"], allowPromotionCodes: false, successUrl: null, failUrl: null, reference: null },
    }),
  ),
  answer: null,
};

const dryRun = dryRunAnswer.meta({ id: "DryRunAnswer" });

/** The headers that an operation accepts: its key, and whether it is a dry run. */
function headersOf({ keyField, hasDryRun }: Operation): { readonly requestParams?: { readonly header: z.ZodObject } } {
  const key = `Taken as \`${keyField}\` if the body has none, with the same bounds. Both must be equal if both are sent.`;
  const dry = `With \`true\`, nothing is made: the answer says what would be made, at what price, with what warnings (\`${DRY_RUN_TYPE}\`).`;
  const headers = {
    ...(keyField === null
      ? {}
      : {
          [IDEMPOTENCY_HEADER]: z
            .string()
            .optional()
            .meta({ param: { description: key } }),
        }),
    ...(hasDryRun
      ? {
          [DRY_RUN_HEADER]: z
            .enum(["true", "false"])
            .optional()
            .meta({ param: { description: dry } }),
        }
      : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { requestParams: { header: z.object(headers) } };
}

/** Gives each field its own example: query parameters and form fields have no common example. */
function eachShown(fields: StatusOperation["query"], example: Readonly<Record<string, unknown>>, kind: "param" | "field"): z.ZodObject {
  const shown = Object.entries(fields.shape).map(([name, field]) => {
    const meta = { example: example[name] };
    return [name, field.meta(kind === "param" ? { param: meta } : meta)] as const;
  });
  return z.object(Object.fromEntries(shown));
}

const deprecationHeaders = {
  Deprecation: { description: "Since when (RFC 9745)", schema: { type: "string" as const } },
  Link: { description: "What takes its place (RFC 8288)", schema: { type: "string" as const } },
};

function commonPartsOf({ name, title, method, summary, description, permission, key }: Operation | StatusOperation) {
  return {
    "x-title": title,
    ...(method === null ? {} : { "x-method": method }),
    operationId: name.replaceAll(/[-_](\w)/g, (_match, letter: string) => letter.toUpperCase()),
    summary,
    description: `${description}\n\n${permission === null ? "Any key of yours may do this." : `Permission: \`${permission}\`.`}`,
    security: SECURITY[key],
  };
}

/** If the key can be in the header or in the body, the header is recommended. */
const SECURITY: Readonly<Record<KeyLocation, { partnerKey: [] }[]>> = {
  header: [{ partnerKey: [] }],
  header_or_body: [{ partnerKey: [] }],
  body: [],
};

const apiKey = z.guid().describe("Your API key");

/**
 * The request schema: the operation's input, plus `api_key` if the key can be in the body. A flat alias of another
 * field, such as `created.gte`, is left out: client generators would give both one name.
 */
function withKey(input: z.ZodType, key: KeyLocation): z.ZodType {
  if (!(input instanceof z.ZodObject)) return input;
  const fields = Object.fromEntries(Object.entries(input.shape).filter(([name]) => !name.includes(".")));
  if (key === "header") return z.object(fields);
  const field = key === "body" ? apiKey : apiKey.optional().describe("Your API key, unless it is in the header");
  return z.object({ api_key: field, ...fields });
}

function exampleWithKey(request: unknown, key: KeyLocation): unknown {
  return key === "body" && request !== null && typeof request === "object" ? { api_key: LOCAL_KEY, ...request } : request;
}
