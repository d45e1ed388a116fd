import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import * as z from "zod";
import { describeApi } from "../../tools/site/openapi/document.ts";

const mediaSchema = z.object({
  schema: z.looseObject({}),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
});
const operationSchema = z.object({
  summary: z.string(),
  deprecated: z.boolean().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), mediaSchema) }),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), mediaSchema).optional() })),
});
const descriptionSchema = z.object({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.object({ post: operationSchema })),
  webhooks: z.record(z.string(), z.object({ post: operationSchema })),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});

const isOwnCall = (path: string) => path.startsWith("/partner/");
const pathsSchema = z.looseObject({ paths: z.record(z.string(), z.unknown()) });
export const described = pathsSchema.parse(JSON.parse(JSON.stringify(describeApi())));

/** The addresses of the partners' own calls, which are no operations. */
export const ownCalls = Object.keys(described.paths).filter(isOwnCall);

/** Every described operation and call, as in `POST /partner/keys`. */
export const addresses = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.keys(z.record(z.string(), z.unknown()).parse(methods)).map((method) => `${method.toUpperCase()} ${path}`),
);

/** The operations and events of an API description, as far as the tests of it read it. */
export function operationsIn(whole: unknown) {
  const { paths, ...rest } = pathsSchema.parse(whole);
  return descriptionSchema.parse({ ...rest, paths: Object.fromEntries(Object.entries(paths).filter(([path]) => !isOwnCall(path))) });
}

export const description = operationsIn(described);

const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  formats: { "date-time": (value: string) => !Number.isNaN(Date.parse(value)), email: true, uuid: true, int32: true, int64: true },
});
ajv.addVocabulary(["components", "example"]);

/** A schema of the description, as somebody else's validator reads it. */
export const compile = (schema: object) => ajv.compile({ ...schema, components: description.components });
