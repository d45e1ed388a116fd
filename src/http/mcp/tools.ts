import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { DRY_RUN_ARGUMENT } from "../dry-run.ts";
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
  /** When to use it, and for a change what it does. The summary of a reading tool says what its hint says. */
  readonly description: string;
  /** Arguments that the surface sets itself. The input schema omits them. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly inputSchema: StandardSchemaWithJSON;
  /** Absent for a reading tool. */
  readonly outputSchema: StandardSchemaWithJSON | undefined;
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
    description: operation.effect.readOnly ? (operation.hint ?? operation.description) : `${operation.description} ${operation.hint}`,
    fixed,
    inputSchema: unchecked(() => inputSchemaOf(operation, fixed)),
    outputSchema: operation.effect.readOnly ? undefined : unchecked(() => ANSWER),
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
function inputSchemaOf({ input, hasDryRun = false, effect }: AgentOperation, fixed: Tool["fixed"]): JsonSchema {
  const { $schema: _, ...schema } = shapeSchema.parse(z.toJSONSchema(input, { io: "input", override: toPublicSchema }));
  // Omits fields that are always refused (`not`): an agent could fill them in.
  const properties = Object.entries(schema.properties).filter(([name, { not }]) => !(name in fixed) && not === undefined);
  const own = hasDryRun ? { [DRY_RUN_ARGUMENT]: { type: "boolean", description: "Say what would be made, and make nothing" } } : {};
  return brief(asSent({ ...schema, properties: { ...Object.fromEntries(properties), ...own } }, true), effect.readOnly);
}

/**
 * What the answers of all changing operations have in common. An answer names its own fields, and each conversation lists all tools,
 * so their schemas do not repeat them; reading tools have none.
 */
const ANSWER: JsonSchema = {
  type: "object",
  required: ["success"],
  properties: { success: { type: "boolean" }, error_code: { type: "string" }, error_message: { type: "string" } },
};

/** Fields that many reading tools have, and that the server's instructions explain once. */
export const COMMON_FIELDS: ReadonlySet<string> = new Set(["environment", "since", "until", "limit", "cursor"]);

/** Their descriptions say in words what their pattern says. */
const KEY_FIELDS: ReadonlySet<string> = new Set(["client_token", "idempotency_key"]);

/** Keywords whose breach the operation answers with a message that says what is wrong. */
const CHECKED_LATER: ReadonlySet<string> = new Set(["title", "format", "minLength", "maxLength", "minItems"]);
/** Those of reading tools, which a wrong value does not harm. */
const CHECKED_BY_READS: ReadonlySet<string> = new Set([...CHECKED_LATER, "pattern", "minimum", "maximum", "maxItems"]);
/** A longer list of values is not in the schema of a reading tool: the answer to a wrong one lists them. */
const MOST_VALUES = 8;

/**
 * A schema that says what a field means and takes, and no more: each conversation lists all tools. An optional field is left out
 * rather than null, although null is taken too.
 */
function brief(schema: JsonSchema, isReading: boolean, isTop = true): JsonSchema {
  const dropped = isReading ? CHECKED_BY_READS : CHECKED_LATER;
  const { anyOf, ...around } = schema;
  const [only, another] = Array.isArray(anyOf) ? anyOf.filter(isSchema).filter(({ type }) => type !== "null") : [];
  const whole: JsonSchema = only !== undefined && another === undefined ? { ...around, ...only } : schema;
  const kept = Object.entries(whole).filter(
    ([name, value]) =>
      !dropped.has(name) &&
      !(name === "maximum" && value === Number.MAX_SAFE_INTEGER) &&
      !(isReading && name === "enum" && Array.isArray(value) && value.length > MOST_VALUES),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name === "items" && isSchema(value)) return [name, brief(value, isReading, false)];
      if (name !== "properties" || !isSchema(value)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).map(([field, one]) => [field, isSchema(one) ? fieldOf(field, one) : one]))];
    }),
  );

  function fieldOf(name: string, field: JsonSchema): JsonSchema {
    const { description, pattern, ...others } = brief(field, isReading, false);
    const rest = pattern === undefined || KEY_FIELDS.has(name) ? others : { ...others, pattern };
    const isExplained = isTop && isReading && COMMON_FIELDS.has(name);
    const said = typeof description !== "string" || isExplained ? "" : isReading ? withoutObvious(description) : description;
    return said === "" ? rest : { ...rest, description: said };
  }
}

/** What a filter says beyond that it is one: of "Only orders of this subscription: `sub_…`", the id. */
const withoutObvious = (description: string): string => description.replace(/^Only [^:]*(?:: |$)/, "");

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value);
