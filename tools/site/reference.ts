import * as z from "zod";
import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { KEY_HEADER } from "../../src/http/key-header.ts";
import { fieldLines, type Schemas, schemaSchema } from "./schema-lines.ts";

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

const BASE = "http://localhost:8787";

/**
 * A page of the reference as Markdown: every operation of a tag of the API description, with its fields, a sample and
 * its answers. @throws Error if there is no such tag
 */
export function referencePage(description: object, title: string, tag: string): string {
  const { tags, paths, components } = documentSchema.parse(description);
  const about = tags.find(({ name }) => name === tag)?.description;
  if (about === undefined) throw new Error(`the API description has no tag ${tag}`);
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ method: method.toUpperCase(), path, operation: operationSchema.parse(found) })),
  );
  const own = entries.filter(({ operation }) => operation.tags[0] === tag);
  const head = `# ${title}\n\n${about}\n\nThe same as a file for programs: [openapi.json](${BASE}/openapi.json).`;
  const text = [head, ...own.map((entry) => sectionOf(entry, components.schemas))].join("\n\n");
  // The description names pages by their addresses; pages name each other by their files.
  return `${text.replaceAll(/\]\(\/docs\/([\w-]+)/g, "]($1.md")}\n`;
}

function sectionOf(entry: Entry, schemas: Schemas): string {
  const { method, path, operation } = entry;
  const { summary, description, deprecated, parameters } = operation;
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const parts = [
    `## ${summary}`,
    `\`${method} ${path}\`${type === undefined || type === "application/json" ? "" : `, as \`${type}\``}${deprecated ? ". **Deprecated**" : ""}`,
    description,
    parameters.length === 0 ? null : parameters.map((one) => parameterLine(one, schemas)).join("\n"),
    body === undefined ? null : `Body:\n\n${fieldLines(body.schema, schemas).join("\n")}`,
    sampleOf(entry, type, body?.example),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([status, { description: said, content }]) => answerOf(status, said, content["application/json"], schemas)),
    refusalsOf(operation),
  ];
  return parts.filter((part) => part !== null && part !== "").join("\n\n");
}

function parameterLine({ in: where, name, required, description, schema }: z.infer<typeof parameterSchema>, schemas: Schemas): string {
  const place = { path: "in the path", query: "in the query", header: "a header" }[where] ?? where;
  const [line = ""] = fieldLines({ properties: { [name]: { ...schema, description } }, required: required ? [name] : [] }, schemas);
  return line.replace(/`: |`$/, (end) => `\` ${place}${end === "`" ? "" : ": "}`);
}

/** The request with its example as a command; none where the description has no example. */
function sampleOf({ method, path, operation }: Entry, type: string | undefined, example: unknown): string | null {
  if (type !== undefined && example === undefined) return null;
  const query = operation.parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const words = query.map(({ name, example: value }) => `${name}=${String(value)}`).join("&");
  const data = type === undefined ? null : type === "application/json" ? JSON.stringify(example, null, 2) : formOf(example);
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${BASE}${path}${words === "" ? "" : `?${words}`}'`,
    ...(JSON.stringify(example ?? null).includes(LOCAL_KEY) ? [] : [`-H '${KEY_HEADER}: ${LOCAL_KEY}'`]),
    ...(type === "application/json" ? ["-H 'Content-Type: application/json'"] : []),
    ...(data === null ? [] : [`-d '${data.replaceAll("'", "'\\''")}'`]),
  ];
  return `\`\`\`sh\n${lines.join(" \\\n  ")}\n\`\`\``;
}

function formOf(example: unknown): string {
  return new URLSearchParams(z.record(z.string(), z.string()).parse(example)).toString();
}

function answerOf(status: string, said: string, content: z.infer<typeof contentSchema> | undefined, schemas: Schemas): string {
  if (content === undefined) return `Answers ${status}: ${said}.`;
  const success = content.examples[SUCCESS]?.value ?? content.example;
  const example = success === undefined ? "" : `\n\n\`\`\`json\n${JSON.stringify(success, null, 2)}\n\`\`\``;
  const list = fieldLines(content.schema, schemas).join("\n");
  const fields = success === undefined ? `\n\n${list}` : `\n\n::: details Every field\n${list}\n:::`;
  return `Answers ${status}: ${said}.${example}${fields}`;
}

/** The errors by name, which the page of errors explains, or by status. */
function refusalsOf({ responses }: Operation): string | null {
  const examples = Object.values(responses).flatMap(({ content }) => Object.values(content["application/json"]?.examples ?? {}));
  const codes = [...new Set(examples.map(({ value }) => failureSchema.safeParse(value).data?.error_code))].filter(
    (code) => code !== undefined,
  );
  if (codes.length > 0) return `Errors: ${codes.map((code) => `[${code}](errors.md#${code})`).join(", ")}.`;
  const statuses = Object.entries(responses).filter(([status]) => !status.startsWith("2"));
  return statuses.length === 0 ? null : `Refusals: ${statuses.map(([status, { description }]) => `${status}: ${description}`).join("; ")}.`;
}
