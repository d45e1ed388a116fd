import * as z from "zod";
import { rejectInput } from "../core/errors.ts";
import { headerValues, IDEMPOTENCY_HEADER, otherIdempotencyHeader } from "./headers.ts";

/** A field's name without case and separators, to recognise a misspelt one. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** A known field of a body, with its nested fields; for a list, the fields of its entries. */
export interface FieldTree {
  readonly kind: "object" | "list" | "other";
  readonly fields: ReadonlyMap<string, FieldTree>;
  readonly required: ReadonlySet<string>;
  /** Why a field is refused; null for an accepted field. */
  readonly refusal: string | null;
}

/** How a body with unknown fields is treated (docs/interface.md G.7). */
export interface FieldRules {
  /** Whether an unknown field is refused. Otherwise it is ignored, unless it is a misspelt known field. */
  readonly isStrict: boolean;
  /** The key fields of the other generation, with their names here. */
  readonly otherKeys: Readonly<Record<string, string>>;
  /** Top-level fields that are accepted and ignored. */
  readonly ignored: ReadonlySet<string>;
  /** What to send instead of a field that does not exist. */
  readonly insteadOf: Readonly<Record<string, string>>;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The known fields of an input, at every level. */
export function fieldsOf(input: z.ZodType): FieldTree {
  return treeOf(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
}

function treeOf(schema: JsonSchema | boolean | undefined): FieldTree {
  if (schema === undefined || typeof schema === "boolean") return { kind: "other", fields: new Map(), required: new Set(), refusal: null };
  const { properties, items, anyOf = [], oneOf = [], allOf = [], required = [], not, description } = schema;
  const others = [...(Array.isArray(items) ? items : [items]), ...anyOf, ...oneOf, ...allOf].map((inner) => treeOf(inner));
  const own = Object.entries(properties ?? {}).map(([name, inner]) => [name, treeOf(inner)] as const);
  return {
    kind:
      properties !== undefined ? "object" : items !== undefined ? "list" : (others.find(({ kind }) => kind !== "other")?.kind ?? "other"),
    fields: new Map([...others.flatMap(({ fields }) => [...fields]), ...own]),
    required: new Set([...required, ...others.flatMap((other) => [...other.required])]),
    refusal: not === undefined ? null : (description ?? "is not accepted"),
  };
}

/** A body without optional fields that are null: null is the same as left out (docs/interface.md G.11). */
export function withoutNulls(tree: FieldTree, body: Record<string, unknown>): Record<string, unknown> {
  if (tree.kind !== "object") return body;
  const kept = Object.entries(body).filter(([name, value]) => value !== null || tree.required.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const inner = tree.fields.get(name);
      return [name, inner === undefined ? value : valueWithoutNulls(inner, value)];
    }),
  );
}

function valueWithoutNulls(tree: FieldTree, value: unknown): unknown {
  if (!Array.isArray(value)) return isObject(value) ? withoutNulls(tree, value) : value;
  return tree.kind === "list" ? value.map((entry) => valueWithoutNulls({ ...tree, kind: "object" }, entry)) : value;
}

/**
 * A body with the key of the header `Idempotency-Key` in its own field, if the body has none (docs/interface.md G.12, G.14).
 * @throws ServiceFailure `invalid_input` if the header has different values, or another than the body's, or is empty, or if the body has
 * no key and another service's header has one: ignored, it would make the order twice.
 */
export function withKeyOfHeader(body: Record<string, unknown>, headers: Headers, field: string): Record<string, unknown> {
  const [header, another] = headerValues(headers, IDEMPOTENCY_HEADER);
  const sent = body[field] ?? undefined;
  // Its own comma, where the field has the same text.
  if (sent !== undefined && sent === headers.get(IDEMPOTENCY_HEADER)?.trim()) return body;
  if (another !== undefined) {
    rejectInput(`the header ${IDEMPOTENCY_HEADER} has more than one value; send one value without a comma, or the field ${field}`);
  }
  if (header === undefined) {
    // A variable that was not set: without a key each repeat would make the order again.
    if (sent === undefined && headers.has(IDEMPOTENCY_HEADER))
      rejectInput(`the header ${IDEMPOTENCY_HEADER} is empty; send a value, or leave it out`);
    const other = sent === undefined ? otherIdempotencyHeader(headers) : null;
    if (other !== null) rejectInput(`the header ${other} is not read; write ${IDEMPOTENCY_HEADER}, or send the field ${field}`);
    return body;
  }
  if (sent === undefined) return { ...body, [field]: header };
  if (sent !== header) {
    rejectInput(`${field}: differs from the header ${IDEMPOTENCY_HEADER}; send one of them, or the same in both`, field);
  }
  return body;
}

/** Other services' names of a field, by our name for it, without case and separators. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  stripe_product_id: ["productid", "product", "processorproductid", "priceid"],
  stripe_product_ids: ["productids", "products"],
  product_id: ["id", "product", "stripeproductid"],
  unit_amount: ["amount", "price", "unitprice", "amountkopecks"],
  quantity: ["qty", "count"],
  customer_email: ["email", "buyeremail"],
  customer_phone: ["phone", "buyerphone"],
  external_order_id: ["orderid", "order"],
  client_reference_id: ["reference", "orderid", "referenceid"],
  client_token: ["token", "requestid"],
  payment_intent_id: ["paymentintent", "paymentid", "id"],
  percent_off: ["percent", "discount"],
  live_url: ["url", "webhookurl"],
  created_gte: ["from", "since", "startdate"],
  created_lte: ["to", "until", "enddate"],
};

/**
 * Refuses a field that does not exist (docs/interface.md G.7). In every generation: a misspelt known field (other case,
 * other separators, the other generation's name of the key), and another service's name of a required field that is
 * missing. With strict rules: every unknown field, because an ignored filter shows other rows, and clients trust an
 * ignored order field.
 * @throws ServiceFailure `invalid_input`, naming the sent field, and the right one or what to do instead.
 */
export function refuseUnknown(tree: FieldTree, body: unknown, rules: FieldRules, path = ""): void {
  if (Array.isArray(body)) {
    if (tree.kind !== "list") return;
    for (const [index, entry] of body.entries()) refuseUnknown({ ...tree, kind: "object" }, entry, rules, `${path}[${index}]`);
    return;
  }
  if (tree.kind !== "object" || !isObject(body)) return;
  for (const [name, value] of Object.entries(body)) {
    const at = path === "" ? shownName(name) : `${path}.${shownName(name)}`;
    const inner = tree.fields.get(name);
    if (inner !== undefined) refuseUnknown(inner, value, rules, at);
    else if (value !== undefined && !(path === "" && rules.ignored.has(name))) refuseField(tree, name, at, body, rules);
  }
}

/** No field has a name of so many characters: the rest of one is not repeated. */
const LONGEST_NAME = 100;

/** A field's name as an answer shows it. */
export const shownName = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

function refuseField(tree: FieldTree, name: string, at: string, body: object, { isStrict, otherKeys, insteadOf }: FieldRules): void {
  const { fields, required } = tree;
  const asked = plainName(name);
  const [, alias] = Object.entries(otherKeys).find(([other]) => plainName(other) === asked) ?? [];
  const right = alias !== undefined && fields.has(alias) ? alias : [...fields.keys()].find((known) => plainName(known) === asked);
  const refusal = right === undefined ? null : (fields.get(right)?.refusal ?? null);
  if (refusal !== null) rejectInput(`${at}: ${refusal}`, at);
  if (right !== undefined) rejectInput(`${at}: is not a field here; write ${right}`, at);
  const instead = Object.hasOwn(insteadOf, name) ? insteadOf[name] : undefined;
  if (isStrict && instead !== undefined) rejectInput(`${at}: is not a field here; ${instead}`, at);
  const meant = [...fields.keys()].find((known) => SYNONYMS[known]?.includes(asked) === true && !(known in body));
  if (meant !== undefined && (isStrict || required.has(meant))) rejectInput(`${at}: is not a field here; write ${meant}`, at);
  if (isStrict) rejectInput(`${at}: is not a field here`, at);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}
