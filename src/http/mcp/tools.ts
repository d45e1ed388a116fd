import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { failureSchema, successSchema } from "../failures.ts";
import { publish } from "../json-schema.ts";
import type { Operation } from "../operation.ts";
import { createPromotionCode } from "../v1/create-promotion-code.ts";
import { operations } from "../v2/index.ts";

type JsonSchema = Record<string, unknown>;

/** An operation as agents see it. */
export interface Tool {
  readonly operation: Operation;
  /** What the surface says itself, and no agent may: it is in no schema. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
}

/** Every operation of the second generation, and the one of the first that it has no counterpart for. */
export const agentTools: readonly Tool[] = [
  ...operations.map((operation) => toTool(operation)),
  toTool(createPromotionCode, { source: "mcp" }),
];

function toTool(operation: Operation, fixed: Tool["fixed"] = {}): Tool {
  return {
    operation,
    fixed,
    inputSchema: unchecked(() => inputSchemaOf(operation, fixed)),
    outputSchema: unchecked(() => outputSchemaOf(operation)),
  };
}

/**
 * A schema for the library to show but not to check by: it would answer in its own words, where the operation's own
 * check answers INVALID_INPUT as it does everywhere. Written out when it is first asked for.
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

/** The operation's body without the key: that is a header. */
function inputSchemaOf({ input }: Operation, fixed: Tool["fixed"]): JsonSchema {
  const { $schema: _, ...schema } = shapeSchema.parse(z.toJSONSchema(input, { io: "input", override: publish }));
  // What only says that it must not be there would invite an agent to fill it in.
  const properties = Object.entries(schema.properties).filter(([name, { not }]) => !(name in fixed) && not === undefined);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Its HTTP body, whichever way it went: agents read failures too. */
function outputSchemaOf(operation: Operation): JsonSchema {
  const branches = [successSchema(operation), failureSchema(operation)].map((branch) => {
    const { $schema: _, ...schema } = z.toJSONSchema(branch, { override: publish });
    return schema;
  });
  return { type: "object", oneOf: branches };
}
