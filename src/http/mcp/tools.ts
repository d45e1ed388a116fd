import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { successSchema } from "../failures.ts";
import { asSent, toPublicSchema } from "../json-schema.ts";
import { createPromotionCode } from "../v1/create-promotion-code.ts";
import { operations } from "../v2/index.ts";
import type { AgentOperation } from "./agent-operation.ts";
import { searchDocuments } from "./search-documents.ts";
import { readingOperations } from "./self-service.ts";
import { sumPartnerTransactions } from "./sum-transactions.ts";

type JsonSchema = Record<string, unknown>;

/** An operation as a tool for agents. */
export interface Tool {
  readonly operation: AgentOperation;
  /** Arguments that the surface sets itself. The input schema omits them. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
}

/**
 * Every operation of the second generation, the one of the first that has no counterpart there (interface G.8), sums,
 * because an agent cannot add up pages reliably, a search of the documentation, and the partners' own reading calls that help with what went wrong.
 */
export const agentTools: readonly Tool[] = [
  ...operations.map((operation) => toTool(operation)),
  toTool(createPromotionCode, { source: "mcp" }),
  toTool(sumPartnerTransactions),
  toTool(searchDocuments),
  ...readingOperations.map((operation) => toTool(operation)),
];

function toTool(operation: AgentOperation, fixed: Tool["fixed"] = {}): Tool {
  return {
    operation,
    fixed,
    inputSchema: unchecked(() => inputSchemaOf(operation, fixed)),
    outputSchema: unchecked(() => outputSchemaOf(operation)),
  };
}

/**
 * A schema that the library publishes but does not validate with. The library would answer with its own error; the
 * operation's validation answers INVALID_INPUT, as on every surface. Generated on first use.
 */
function unchecked(write: () => JsonSchema): StandardSchemaWithJSON {
  let written: JsonSchema | undefined;
  const schema = () => (written ??= write());
  return {
    "~standard": {
      version: 1,
      vendor: "partner-payments",
      validate: (value) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}

const shapeSchema = z.looseObject({ properties: z.record(z.string(), z.looseObject({ not: z.unknown().optional() })) });

/** The operation's body without the API key, which is sent in the header. */
function inputSchemaOf({ input }: AgentOperation, fixed: Tool["fixed"]): JsonSchema {
  const { $schema: _, ...schema } = shapeSchema.parse(z.toJSONSchema(input, { io: "input", override: toPublicSchema }));
  // Omits fields that are always refused (`not`): an agent could fill them in.
  const properties = Object.entries(schema.properties).filter(([name, { not }]) => !(name in fixed) && not === undefined);
  return asSent({ ...schema, properties: Object.fromEntries(properties) }, true);
}

/**
 * The operation's HTTP body, of a success or a failure, as one object. Agents need names and types of fields; failure
 * codes and the meaning of fields are in the documentation. The schema is short, because each conversation lists all
 * tools.
 */
function outputSchemaOf(operation: AgentOperation): JsonSchema {
  const { $schema: _, ...schema } = shapeSchema.parse(z.toJSONSchema(successSchema(operation), { override: toPublicSchema }));
  const { readOnly } = operation.effect;
  const count = Object.keys(schema.properties).length;
  const properties = {
    ...(readOnly && count > MOST_OUTLINED ? {} : schema.properties),
    success: { type: "boolean" },
    error_code: { type: "string" },
    error_message: { type: "string" },
  };
  const shown = Object.entries(properties).map(([name, field]) => [name, readOnly ? outlined(field) : shortened(field)]);
  return { type: "object", required: ["success"], properties: Object.fromEntries(shown) };
}

/** An object with more fields than this names them in its answer alone: the lists of them would be a tenth of all tools. */
const MOST_OUTLINED = 8;

/**
 * What a field is, without what is in it: what a reading tool answers names its own fields, and a conversation that lists all tools
 * pays for each of them.
 */
function outlined(field: unknown): unknown {
  const { type, anyOf } = outlineSchema.parse(field);
  return type === undefined && anyOf !== undefined ? { anyOf: anyOf.map(outlined) } : type === undefined ? {} : { type };
}

const outlineSchema = z.object({ type: z.unknown().optional(), anyOf: z.array(z.unknown()).optional() });

/** A schema without long descriptions. */
function shortened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortened);
  if (schema === null || typeof schema !== "object") return schema;
  const kept = Object.entries(schema).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === "properties" ? eachShortened(value) : shortened(value)]));
}

/** The keys of `properties` are field names, even one called `description`. */
function eachShortened(properties: unknown): unknown {
  if (properties === null || typeof properties !== "object") return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shortened(one)]));
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  "description",
  "title",
  "required",
  "additionalProperties",
  "format",
  "pattern",
  "enum",
  "propertyNames",
  "minimum",
  "maximum",
  "exclusiveMinimum",
]);
