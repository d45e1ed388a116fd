import fc from "fast-check";
import * as z from "zod";
import { keys } from "../support/api.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** Values that programs trip over. */
const ODD: readonly unknown[] = [
  null,
  "",
  " ",
  "0",
  "null",
  "\u0000",
  "\ud800",
  "e\u0301\u202e",
  "x".repeat(5_000),
  "%00%zz",
  "' OR 1=1 --",
  "__proto__",
  "19.00",
  0,
  -0,
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  [],
  {},
  [[]],
  { __proto__: null, constructor: 1 },
  Array.from({ length: 30 }, () => ({})),
];

/** Names of what there is, by the field that takes it: most inputs should come past the first check. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  stripe_product_id: [
    "prod_acmeTestUsd1",
    "prod_acmeLiveUsd1",
    "prod_acmeTestMonthly",
    "prod_acmeDraft",
    "prod_globexLiveUsd1",
    "prod_none",
  ],
  product_id: [1001, 1002, 9999],
  // Few, so that requests meet.
  client_token: ["one", "two", "three"],
  idempotency_key: ["one", "two", "three"],
  currency: ["USD", "EUR", "usd", "RUB"],
  environment: ["test", "live"],
  payment_method_types: [["card"], ["card", "link"], ["sepa_debit"]],
  test_url: ["https://shop.example/hook", "http://localhost/x", "https://user@shop.example"],
  live_url: ["https://shop.example/hook", "https://10.0.0.1/", "ftp://shop.example"],
  success_url: ["https://shop.example/thanks"],
  created_gte: ["2026-01-01", "2026-11-23T00:00:00Z", "1970-01-01"],
  created_lte: ["2027-01-01", "2026-02-30"],
  auth_mode: ["api_key"],
  customer_email: ["buyer@example.com"],
  customer_phone: ["+79031234567"],
  partner: ["globex", "none"],
  id: ["globex", "card_globexLiveUsd1", "none"],
  cursor: ["", "eyJ9", "nonsense"],
  limit: [1, 50, 100, 1000],
};

const odd = fc.constantFrom(...ODD);

/** Inputs of a schema: most are right, and some have a value in them that is not. */
export function inputsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return anyOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), "", 0);
}

function anyOf(schema: Schema | boolean, name: string, depth: number): fc.Arbitrary<unknown> {
  const right = KNOWN[name] === undefined ? rightValueOf(schema, name, depth) : fc.constantFrom(...KNOWN[name]);
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd });
}

function rightValueOf(schema: Schema | boolean, name: string, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean" || depth > 6) return odd;
  const choices = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => anyOf(choice, name, depth + 1)));
  switch (schema.type) {
    case "object":
      return objectOf(schema, depth);
    case "array": {
      const items = schema.items;
      return fc.array(anyOf(items === undefined || Array.isArray(items) ? true : items, name, depth + 1), { maxLength: 4 });
    }
    case "integer":
    case "number":
      return fc.oneof(
        fc.integer({ min: 0, max: 2_000 }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 1e9, (schema.maximum ?? 1e9) + 1),
      );
    case "boolean":
      return fc.boolean();
    case "string":
      return fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom("a", "order-2041", "pi_none", "sub_none", "evt_none"));
    case "null":
      return fc.constant(null);
    case undefined:
      break;
  }
  return odd;
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const fields = Object.fromEntries(properties.map(([field, of]) => [field, anyOf(of, field, depth + 1)]));
  const known = fc.record(fields, { requiredKeys: [] });
  const needed = new Set(schema.required ?? []);
  const usual = fc.record(fields, { requiredKeys: Object.keys(fields).filter((field) => needed.has(field)) });
  const strange = fc.tuple(usual, fc.string({ maxLength: 12 }), odd).map(([object, field, value]) => ({ ...object, [field]: value }));
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: known }, { weight: 1, arbitrary: strange });
}

/** What is sent as a body: the value as JSON, cut, with a byte changed, or bytes that mean nothing. */
export function bodiesOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const whole = value.map((one) => new Uint8Array(new TextEncoder().encode(JSON.stringify(one) ?? "")));
  const cut = fc.tuple(whole, fc.nat()).map(([bytes, at]) => bytes.slice(0, at % (bytes.length + 1)));
  const changed = fc
    .tuple(whole, fc.nat(), fc.nat(255))
    .map(([bytes, at, byte]) => bytes.map((one, index) => (index === at % bytes.length ? byte : one)));
  const raw = fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes));
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: changed },
    { weight: 1, arbitrary: raw },
  );
}

/** Headers of a request: most with a key that may do it, and as JSON. */
export const headers: fc.Arbitrary<Record<string, string>> = fc.record({
  "Content-Type": fc.oneof(
    { weight: 12, arbitrary: fc.constant("application/json") },
    fc.constantFrom("text/plain", "application/x-www-form-urlencoded", "x"),
  ),
  "X-Partner-Api-Key": fc.oneof({ weight: 12, arbitrary: fc.constant(keys.acme) }, fc.constantFrom(...Object.values(keys), "", "no key")),
});
