import type { Schema } from "../site/schema-lines.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * What a client can notice of an API description, as sorted lines: each call, each field that it takes or answers with its type, and
 * which fields it must send. Words and examples are none of it.
 */
export function surfaceOf(description: Json): string[] {
  const schemas = asObject(asObject(description.components).schemas);
  const lines = new Set<string>();
  for (const [path, methods] of Object.entries(asObject(description.paths))) {
    for (const [method, found] of Object.entries(asObject(methods))) {
      const call = `${method.toUpperCase()} ${path}`;
      const operation = asObject(found);
      lines.add(call);
      for (const one of asList(operation.parameters)) {
        const { in: where, name, required, schema } = asObject(one);
        fieldLines(`${call} takes ${String(where)}.${String(name)}`, asObject(schema), required === true, schemas, lines);
      }
      for (const { schema } of contentsOf(operation.requestBody)) objectLines(`${call} takes `, schema, schemas, lines);
      // Refusals have one form everywhere.
      for (const [status, response] of Object.entries(asObject(operation.responses)).filter(([code]) => code.startsWith("2")))
        for (const { schema } of contentsOf(response)) objectLines(`${call} answers ${status} `, schema, schemas, lines);
    }
  }
  for (const [name, methods] of Object.entries(asObject(description.webhooks)))
    for (const { schema } of contentsOf(asObject(asObject(methods).post).requestBody)) objectLines(`${name} has `, schema, schemas, lines);
  return [...lines].toSorted();
}

/** Deeper fields are the processor's objects, which it may change itself. */
const DEPTH = 5;

function objectLines(head: string, schema: Schema, schemas: Json, lines: Set<string>, depth = 0): void {
  if (depth > DEPTH) return;
  const own = resolved(schema, schemas);
  if (own.items !== undefined) objectLines(`${head.trimEnd()}[]`, own.items, schemas, lines, depth + 1);
  for (const variant of own.anyOf ?? own.oneOf ?? []) objectLines(head, variant, schemas, lines, depth + 1);
  for (const [name, field] of Object.entries(own.properties ?? {}))
    fieldLines(`${head}${head.endsWith(" ") ? "" : "."}${name}`, field, own.required?.includes(name) ?? false, schemas, lines, depth);
}

function fieldLines(head: string, schema: Schema, isRequired: boolean, schemas: Json, lines: Set<string>, depth = 0): void {
  const own = resolved(schema, schemas);
  const values = own.enum ?? (own.const === undefined ? [] : [own.const]);
  for (const type of [own.type ?? []].flat()) lines.add(`${head}: ${type}`);
  for (const value of values) lines.add(`${head}: ${JSON.stringify(value)}`);
  if (isRequired) lines.add(`${head} always`);
  objectLines(head, own, schemas, lines, depth + 1);
}

function resolved(schema: Schema, schemas: Json): Schema {
  if (schema.$ref === undefined) return schema;
  return resolved(asObject(schemas[schema.$ref.split("/").at(-1) ?? ""]), schemas);
}

const contentsOf = (of: unknown): { readonly schema: Schema }[] =>
  Object.values(asObject(asObject(of).content)).map((content) => ({ schema: asObject(asObject(content).schema) }));
const asObject = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a release between two surfaces is: `major` if a client that was made before may break. */
export type ReleaseKind = "major" | "minor" | "patch";

/**
 * A client breaks if something that it used is gone, or if it must send what it did not send: a field that is taken `always` now. A field
 * that is not always answered any more is gone, too.
 */
export function kindOfRelease(
  before: readonly string[],
  after: readonly string[],
): { readonly kind: ReleaseKind; readonly because: string[] } {
  const [known, now] = [new Set(before), new Set(after)];
  const gone = before.filter((line) => !now.has(line) && !isTakenAlways(line));
  const wanted = after.filter((line) => !known.has(line) && isTakenAlways(line) && isOfKnownCall(line, known));
  const breaking = [...gone.map((line) => `gone: ${line}`), ...wanted.map((line) => `must be sent now: ${line}`)];
  if (breaking.length > 0) return { kind: "major", because: breaking };
  const added = after.filter((line) => !known.has(line));
  return added.length > 0 ? { kind: "minor", because: added.map((line) => `new: ${line}`) } : { kind: "patch", because: [] };
}

const isTakenAlways = (line: string): boolean => / takes .* always$/.test(line);
const isOfKnownCall = (line: string, known: ReadonlySet<string>): boolean => known.has(line.split(" takes ")[0] ?? "");

/** Whether a version is far enough behind another one for a release of this kind. */
export function isRaisedEnough(before: string, now: string, kind: ReleaseKind): boolean {
  const [major = 0, minor = 0, patch = 0] = now.split(".").map(Number);
  const [oldMajor = 0, oldMinor = 0, oldPatch = 0] = before.split(".").map(Number);
  if (major !== oldMajor) return major > oldMajor;
  if (kind === "major") return false;
  if (minor !== oldMinor) return minor > oldMinor;
  return kind === "patch" ? patch >= oldPatch : false;
}
