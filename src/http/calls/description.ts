import * as z from "zod";
import { toPublicSchema } from "../json-schema.ts";
import type { Call } from "./call.ts";
import { fileTypes } from "./download.ts";

type Json = Readonly<Record<string, unknown>>;

/** What an audience's description of a call says besides its input and its answer. */
export interface Described {
  readonly description: string;
  /** The schema of the answer. */
  readonly answer: Json;
  /** The meaning of each refusal, by HTTP status. */
  readonly refusals: Readonly<Record<number, string>>;
  /** The schema of a refusal's body. */
  readonly failure: Json;
  readonly tags?: readonly string[];
}

/** The OpenAPI `paths` of calls. */
export function describePaths<Mounted extends Call>(
  calls: readonly Mounted[],
  describe: (call: Mounted) => Described,
): Record<string, Record<string, Json>> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: describeCall(call, describe(call)) };
  return paths;
}

function describeCall(call: Call, { description, answer, refusals, failure, tags }: Described): Json {
  const { command, summary, status, file, body, params, query } = call;
  const refused = (meaning: string) => ({ description: meaning, content: { "application/json": { schema: failure } } });
  return {
    operationId: command.replaceAll(" ", "-"),
    "x-command": command,
    ...(tags === undefined ? {} : { tags }),
    summary,
    description,
    parameters: [...parametersOf(params, "path"), ...parametersOf(query, "query")],
    ...(file === null
      ? {}
      : { requestBody: { required: true, content: Object.fromEntries(file.types.map((type) => [type, { schema: { type: "string" } }])) } }),
    ...(body === null ? {} : { requestBody: { content: { "application/json": { schema: jsonSchemaOf(body, "input") } } } }),
    responses: {
      [status]: { description: "Done", content: contentOf(call, answer) },
      ...Object.fromEntries(Object.entries(refusals).map(([code, meaning]) => [code, refused(meaning)])),
    },
  };
}

/** The types of a call's answers. */
function contentOf({ download }: Call, answer: Json): Json {
  const files = Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: "string" } }]));
  return { ...(download === "always" ? {} : { "application/json": { schema: answer } }), ...(download === null ? {} : files) };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

function parametersOf(schema: z.ZodObject, where: "path" | "query"): Json[] {
  const { properties = {}, required = [] }: ObjectSchema = jsonSchemaOf(schema, "input");
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: of,
  }));
}

/** The JSON Schema of what a form sends: the defaults stand in it, because a form begins with them. */
export function formSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override(given) {
      const { default: initial, description } = given.jsonSchema;
      toPublicSchema(given);
      if (initial === undefined || typeof initial === "object") return;
      given.jsonSchema.default = initial;
      if (description !== undefined) given.jsonSchema.description = description;
      else delete given.jsonSchema.description;
    },
  });
  return described;
}

/** The JSON Schema of a Zod schema. A transformed value is described as input or output, as requested. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: toPublicSchema });
  return described;
}
