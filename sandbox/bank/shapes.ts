import { type Schema, Validator } from "@cfworker/json-schema";
import * as z from "zod";
import shapes from "./shapes.json" with { type: "json" };

const shapesSchema = z.object({
  from: z.string(),
  calls: z.record(z.string(), z.object({ request: z.custom<Schema>(), response: z.custom<Schema>() })),
});
const { calls } = shapesSchema.parse(shapes);

/** Built once per message type: building a validator takes longer than using it. */
const validators = new Map<Schema, Validator>();

function validatorOf(schema: Schema): Validator {
  const known = validators.get(schema) ?? new Validator(schema, "2020-12");
  validators.set(schema, known);
  return known;
}

/** The path of the first field of a message that does not fit the bank's document; null if it fits. */
export function misfitOf(call: string, direction: "request" | "response", message: unknown): string | null {
  const schema = calls[call]?.[direction];
  if (schema === undefined) throw new Error(`the bank's document has no call ${call}`);
  const { valid, errors } = validatorOf(schema).validate(message);
  return valid ? null : (errors.at(-1)?.instanceLocation ?? "#");
}
