import * as z from "zod";
import { methods } from "../release/sdk-sources.ts";
import { BASE, requestSamples } from "./request-samples.ts";
import { fieldLines, type Schemas, schemaSchema } from "./schema-lines.ts";
import { requestText } from "./try-request.ts";

const parameterSchema = z.object({
  in: z.string(),
  name: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(""),
  schema: schemaSchema,
  example: z.unknown().optional(),
});

const contentSchema = z.object({
  schema: schemaSchema,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() })).default({}),
});

const operationSchema = z.object({
  operationId: z.string(),
  "x-title": z.string().optional(),
  "x-command": z.string().optional(),
  summary: z.string(),
  description: z.string().default(""),
  deprecated: z.boolean().default(false),
  tags: z.array(z.string()).default([]),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ content: z.record(z.string(), contentSchema) }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: z.record(z.string(), contentSchema).default({}) })),
});
type Operation = z.infer<typeof operationSchema>;

const documentSchema = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), schemaSchema) }),
});

/** An operation or a call, with its address. */
interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const failureSchema = z.object({ error_code: z.string() });

/** The name of the example of a success. */
const SUCCESS = "success";

/**
 * A page of the reference as Markdown: every operation of a tag of the API description, with its fields, samples and its answers; the
 * calls by their nouns. What all of them answer is said once. @throws Error if there is no such tag
 */
export function referencePage(description: object, title: string, tag: string): string {
  const { tags, paths, components } = documentSchema.parse(description);
  const about = tags.find(({ name }) => name === tag)?.description;
  if (about === undefined) throw new Error(`the API description has no tag ${tag}`);
  const entries = Object.entries(paths).flatMap(([path, own]) =>
    Object.entries(own).map(([method, found]) => ({ method: method.toUpperCase(), path, operation: operationSchema.parse(found) })),
  );
  const own = entries.filter(({ operation }) => operation.tags[0] === tag);
  const common = commonRefusals(own);
  const head = [
    `# ${title}\n\n${about}\n\nThe same as a file for programs: [openapi.json](${BASE}/openapi.json). The tabs show each request for curl, for the [clients](clients.md) and more.`,
    common.size === 0
      ? ""
      : `Each of them may be refused with ${[...common.values()].join(", ")}. What else it may be refused with stands with each.`,
  ].filter((part) => part !== "");
  const sections = [...Map.groupBy(own, nounOf)].flatMap(([noun, ofNoun]) => [
    ...(noun === null ? [] : [`## ${noun}`]),
    ...ofNoun.map((entry) => sectionOf(entry, { schemas: components.schemas, common, level: noun === null ? "##" : "###" })),
  ]);
  // The description names pages by their addresses; pages name each other by their files.
  return `${[...head, ...sections].join("\n\n").replaceAll(/\]\(\/docs\/([\w-]+)/g, "]($1.md")}\n`;
}

/** The noun of a call, for the menu: `Links` of `links list`; null for an operation. */
function nounOf({ operation }: Entry): string | null {
  const noun = operation["x-command"]?.split(" ")[0]?.replaceAll("-", " ");
  return noun === undefined ? null : `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}

/** The heading of an entry in the menu. */
function headingOf({ operation }: Entry): string {
  const verb = operation["x-command"]?.split(" ").slice(1).join(" ").replaceAll("-", " ");
  if (verb === undefined) return operation["x-title"] ?? operation.summary;
  return verb === "" ? "Show" : `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
}

interface Shown {
  readonly schemas: Schemas;
  /** What all entries of the page are refused with, which is said once. */
  readonly common: ReadonlyMap<string, string>;
  readonly level: string;
}

function sectionOf(entry: Entry, { schemas, common, level }: Shown): string {
  const { method, path, operation } = entry;
  const { summary, description, deprecated, parameters } = operation;
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const parts = [
    `${level} ${headingOf(entry)}${operation["x-command"] === undefined ? "" : ` {#call-${operation.operationId}}`}`,
    `${summary}.`,
    `\`${method} ${path}\`${type === undefined || type === "application/json" ? "" : `, as \`${type}\``}${deprecated ? ". **Deprecated**" : ""}`,
    description,
    ...parameterLines(parameters, schemas),
    body === undefined ? null : `Body:\n\n${fieldLines(body.schema, schemas).join("\n")}`,
    sampleOf(entry, type, body?.example),
    requestOf(entry, type, body?.example),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([status, { description: said, content }]) => answerOf(status, said, content["application/json"], schemas)),
    refusalLine(refusalsOf(operation), common),
  ];
  return parts.filter((part) => part !== null && part !== "").join("\n\n");
}

const PLACES = { path: "In the path:", query: "In the query:", header: "In a header:" };

/** The parameters of an entry, by their places. */
function parameterLines(parameters: Operation["parameters"], schemas: Schemas): string[] {
  return Object.entries(PLACES).flatMap(([place, words]) => {
    const own = parameters.filter((one) => one.in === place);
    if (own.length === 0) return [];
    const properties = Object.fromEntries(own.map(({ name, description, schema }) => [name, { ...schema, description }]));
    const required = own.filter((one) => one.required).map(({ name }) => name);
    return [`${words}\n\n${fieldLines({ properties, required }, schemas).join("\n")}`];
  });
}

/** The request with its example, in tabs; none where the description has no example, as of the calls for browsers. */
function sampleOf({ method, path, operation }: Entry, type: string | undefined, example: unknown): string | null {
  const { operationId, parameters } = operation;
  const client = methods.find(({ id }) => id === operationId);
  if (client === undefined && (type === undefined || example === undefined)) return null;
  const valuesIn = (where: string) =>
    Object.fromEntries(parameters.filter((one) => one.in === where && one.example !== undefined).map((one) => [one.name, one.example]));
  return requestSamples({
    method,
    path,
    pathValues: valuesIn("path"),
    query: valuesIn("query"),
    body: type === undefined ? null : valuesSchema.parse(example ?? {}),
    type: type ?? null,
    client: client?.name ?? null,
    answers: client?.kind ?? "one",
    command: client?.command ?? null,
  });
}

/**
 * The request of an operation as it goes over the wire, which the pages let a reader change and send. None of a call of self-service: what
 * takes a session must not be called by these pages, which the policy of their content holds.
 */
function requestOf({ method, path, operation }: Entry, type: string | undefined, example: unknown): string | null {
  if (operation["x-command"] !== undefined || type !== "application/json" || example === undefined) return null;
  return `\`\`\`http\n${requestText({ method, path, body: valuesSchema.parse(example) })}\n\`\`\``;
}

const valuesSchema = z.record(z.string(), z.unknown());

function answerOf(status: string, said: string, content: z.infer<typeof contentSchema> | undefined, schemas: Schemas): string {
  if (content === undefined) return `Answers ${status}: ${said}.`;
  const success = content.examples[SUCCESS]?.value ?? content.example;
  const example = success === undefined ? "" : `\n\n\`\`\`json\n${JSON.stringify(success, null, 2)}\n\`\`\``;
  const list = fieldLines(content.schema, schemas).join("\n");
  const fields = success === undefined ? `\n\n${list}` : `\n\n::: details Every field\n${list}\n:::`;
  return `Answers ${status}: ${said}.${example}${fields}`;
}

/** What an operation is refused with: errors by name, which the page of errors explains, or statuses. */
function refusalsOf({ responses }: Operation): ReadonlyMap<string, string> {
  const examples = Object.values(responses).flatMap(({ content }) => Object.values(content["application/json"]?.examples ?? {}));
  const codes = examples.map(({ value }) => failureSchema.safeParse(value).data?.error_code).filter((code) => code !== undefined);
  if (codes.length > 0) return new Map(codes.map((code) => [code, `[${code}](errors.md#${code})`]));
  const statuses = Object.entries(responses).filter(([status]) => !status.startsWith("2"));
  return new Map(statuses.map(([status, { description }]) => [`${status} ${description}`, `${status} (${description})`]));
}

/** What every entry is refused with. */
function commonRefusals(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const [first, ...others] = entries.map(({ operation }) => refusalsOf(operation));
  return new Map([...(first ?? [])].filter(([name]) => others.every((other) => other.has(name))));
}

function refusalLine(refusals: ReadonlyMap<string, string>, common: ReadonlyMap<string, string>): string | null {
  const own = [...refusals].filter(([name]) => !common.has(name)).map(([, said]) => said);
  return own.length === 0 ? null : `Also refused with ${own.join(", ")}.`;
}
