import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { root } from "../../local/processes.ts";

const FILE = join(root, "sandbox", "bank", "shapes.json");

/** The calls that the Worker makes, and the one that pays at the bank's test terminals. */
const CALLS = ["Init", "GetQr", "GetState", "CheckOrder", "Cancel", "SbpPayTest"];

const json = z.object({ content: z.object({ "application/json": z.object({ schema: z.unknown() }) }) });
const documentSchema = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.looseObject({ post: z.unknown().optional() })),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const callSchema = z.object({ requestBody: json, responses: z.object({ "200": json }) });

/** The keys that describe the kind of a value, without the document's texts. */
const KEPT = new Set(["type", "required", "properties", "items", "enum", "maxLength", "minLength", "anyOf", "oneOf", "allOf", "pattern"]);

/**
 * Extracts the bank's shapes from its OpenAPI document, which is not part of this project: the requests and the answers
 * of {@link CALLS}.
 */
export function extractBankShapes(path: string): number {
  const { info, paths, components } = documentSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  const shapeOf = (body: z.infer<typeof json>) => stripped(body.content["application/json"].schema, components.schemas, []);
  const calls = CALLS.map((name) => {
    const post = callSchema.parse(paths[`/v2/${name}`]?.post);
    return [name, { request: shapeOf(post.requestBody), response: shapeOf(post.responses["200"]) }];
  });
  const lines = calls.map(([name, shapes]) => `${JSON.stringify(name)}: ${JSON.stringify(shapes)}`);
  writeFileSync(FILE, `{\n"from": ${JSON.stringify(`OpenAPI document ${info.version}`)},\n"calls": {\n${lines.join(",\n")}\n}}\n`);
  console.log(`sandbox/bank/shapes.json: ${calls.length} calls of the bank's OpenAPI document ${info.version}`);
  return 0;
}

/** The document is older than the VAT rates of 2026, which the bank accepts. */
const NEWER_RATES = ["vat22", "vat122"];

/** A schema without its texts, with its references resolved. `oneOf` becomes `anyOf`: the document's choices overlap. */
function stripped(node: unknown, schemas: Readonly<Record<string, unknown>>, open: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((entry) => stripped(entry, schemas, open));
  const fields = fieldsSchema.safeParse(node);
  if (!fields.success) return node;
  const { $ref: reference } = fields.data;
  if (typeof reference === "string") {
    const name = reference.split("/").at(-1) ?? "";
    return open.includes(name) ? {} : stripped(schemas[name], schemas, [...open, name]);
  }
  const kept = Object.entries(fields.data).filter(([key]) => KEPT.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key === "oneOf" ? "anyOf" : key, content(key, value)]));

  function content(key: string, value: unknown): unknown {
    const rates = ratesSchema.safeParse(value);
    if (key === "enum" && rates.success && rates.data.includes("vat20")) return [...rates.data, ...NEWER_RATES];
    if (key !== "properties") return stripped(value, schemas, open);
    const properties = Object.entries(fieldsSchema.parse(value));
    return Object.fromEntries(properties.map(([name, property]) => [name, stripped(property, schemas, open)]));
  }
}

const fieldsSchema = z.record(z.string(), z.unknown());
const ratesSchema = z.array(z.string());
