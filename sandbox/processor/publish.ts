import type { Fields, Shape } from "./shape.ts";
import { alternatives, fieldOf, schemaNamed, schemaNameOf } from "./shapes.ts";

type Published = Record<string, unknown>;

/**
 * An object in the processor's format: every field that its schema requires, and no other. The sandbox stores what it
 * needs, which may be less or more. A required field that is not stored gets the emptiest valid value: null if allowed.
 * A list is published entry by entry.
 */
export function publish(object: object): Published {
  const fields: Published = { ...object };
  if (fields.object === "list" && Array.isArray(fields.data))
    return { ...fields, data: fields.data.map((entry) => publish(entry as object)) };
  const schema = schemaNameOf(fields.object);
  return schema === undefined || fields.deleted === true
    ? fields
    : published({ ...SUITABLE[String(fields.object)], ...fields }, schemaNamed(schema));
}

/** Values of required fields that are better than the first valid one. */
const SUITABLE: Readonly<Record<string, Published>> = {
  balance_transaction: { balance_type: "payments" },
  charge: { captured: true },
  payment_intent: { capture_method: "automatic_async", confirmation_method: "automatic", payment_method_types: ["card"] },
  "checkout.session": { payment_method_types: ["card"] },
  product: { type: "service" },
};

function published(object: Published, fields: Fields): Published {
  const shown = Object.entries(fields).flatMap(([field, shape]) => {
    const name = field.replace(/\?$/, "");
    const value = object[name];
    if (value !== undefined) return [[name, shaped(value, shape)]];
    return field.endsWith("?") ? [] : [[name, emptiest(shape)]];
  });
  return Object.fromEntries(shown) as Published;
}

function shaped(value: unknown, shape: Shape): unknown {
  if (value === null || typeof value !== "object") return value;
  const choices = alternatives(shape).filter((choice) => typeof choice === "object");
  if (Array.isArray(value)) {
    const list = choices.find((choice) => "array" in choice);
    return list === undefined ? value : value.map((entry) => shaped(entry, list.array));
  }
  const list = choices.find((choice) => "list" in choice);
  if (list !== undefined && "data" in value) {
    const data = (value.data as unknown[]).map((entry) => shaped(entry, list.list));
    return { url: "", has_more: false, ...value, object: "list", data };
  }
  if ("object" in value && schemaNameOf(value.object) !== undefined) return publish(value);
  const ref = choices.find((choice) => "ref" in choice);
  return ref === undefined ? value : published({ ...value }, schemaNamed(ref.ref));
}

/** The emptiest value of a shape. */
function emptiest(shape: Shape): unknown {
  const choices = alternatives(shape);
  if (choices.includes("null")) return null;
  const [choice] = choices;
  if (choice === undefined || choice === "any" || choice === "null") return null;
  if (choice === "string") return "";
  if (choice === "number") return 0;
  if (choice === "boolean") return false;
  if ("enum" in choice) return choice.enum[0] ?? "";
  if ("array" in choice) return [];
  if ("list" in choice) return { object: "list", data: [], has_more: false, url: "" };
  if ("map" in choice) return {};
  if ("ref" in choice) return published({}, schemaNamed(choice.ref));
  return "";
}

/** The fields of a schema that an `expand` path may name: references to objects, and lists. */
export function expandableIn(schema: Fields, name: string): Fields | null | undefined {
  const shape = fieldOf(schema, name);
  if (shape === undefined) return undefined;
  for (const choice of alternatives(shape)) {
    if (typeof choice !== "object") continue;
    if ("ref" in choice) return schemaNamed(choice.ref);
    if ("list" in choice) return typeof choice.list === "object" && "ref" in choice.list ? schemaNamed(choice.list.ref) : null;
    if ("resource" in choice) return null;
    if ("array" in choice) {
      const inner = alternatives(choice.array).find((one) => typeof one === "object" && "ref" in one);
      return typeof inner === "object" && "ref" in inner ? schemaNamed(inner.ref) : undefined;
    }
  }
  return undefined;
}
