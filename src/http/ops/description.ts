import * as z from "zod";
import { toPublicSchema } from "../json-schema.ts";
import { lostCell, type OpsCall } from "./call.ts";

type Json = Readonly<Record<string, unknown>>;

const failure = {
  description: "Refused",
  content: {
    "application/json": {
      schema: { type: "object", properties: { success: { const: false }, error: { type: "string" } }, required: ["success", "error"] },
    },
  },
};

/** The OpenAPI 3.1 description of the operators' calls, from their definitions. */
export function describeOps(calls: readonly OpsCall[], origin: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: describeCall(call) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Operators' interface",
      version: "1",
      description: "For the people who run the service. Every call is a command too: `npm run ops -- help`. Real HTTP statuses.",
    },
    servers: [{ url: origin }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer", description: "The operators' token" } } },
  };
}

function describeCall(call: OpsCall): Json {
  const { command, summary, role, irreversible, status, file, body } = call;
  return {
    operationId: command.replaceAll(" ", "-"),
    summary,
    description: [`Command: \`npm run ops -- ${command} ${call.example}\`.`.replace(" `.", "`."), `Role: ${role}.`, irreversible ?? ""]
      .join(" ")
      .trim(),
    parameters: [...parametersOf(call.params, "path"), ...parametersOf(call.query, "query")],
    ...(file === null
      ? {}
      : { requestBody: { required: true, content: Object.fromEntries(file.types.map((type) => [type, { schema: { type: "string" } }])) } }),
    ...(body === null ? {} : { requestBody: { content: { "application/json": { schema: jsonSchemaOf(body, "input") } } } }),
    responses: {
      [status]: { description: "Done", content: { "application/json": { schema: answerOf(call) } } },
      400: { ...failure, description: "The input is not valid; the message names the field" },
      401: { ...failure, description: "No valid operator credentials" },
      403: { ...failure, description: "The role is missing" },
      404: { ...failure, description: "There is no such thing" },
      409: { ...failure, description: "A rule forbids it" },
      429: { ...failure, description: "Too many refused logins" },
      500: { ...failure, description: "Something failed on our side" },
      502: { ...failure, description: "The processor or the bank is unreachable; nothing is left half done" },
    },
  };
}

/** The answer of a call. A partial one also lists the unreachable cells. */
function answerOf({ answer, isPartial }: OpsCall): Json {
  const { properties, ...schema }: ObjectSchema & Json = jsonSchemaOf(answer, "output");
  const lost = {
    type: "array",
    items: jsonSchemaOf(lostCell, "output"),
    description: "Unreachable cells; their data is missing here",
  };
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: { ...properties, ...(isPartial ? { out_of_reach: lost } : {}) } }),
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

function parametersOf(schema: z.ZodObject, place: "path" | "query"): Json[] {
  const { properties = {}, required = [] }: ObjectSchema = jsonSchemaOf(schema, "input");
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: of,
  }));
}

/** The JSON Schema of a Zod schema. A transformed value is described as input or output, as requested. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: toPublicSchema });
  return described;
}
