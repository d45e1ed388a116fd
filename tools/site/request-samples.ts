import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { KEY_HEADER } from "../../src/http/key-messages.ts";

/** The service in the samples, whose address takes its place where it is served. */
export const BASE = "http://localhost:8787";

type Values = Readonly<Record<string, unknown>>;

/** A request, as the samples show it. */
export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly pathValues: Values;
  readonly query: Values;
  readonly body: Values | null;
  /** The body's type; null without one. */
  readonly type: string | null;
  /** The method of the clients: `links.createForCart`; null if they have none. */
  readonly client: string | null;
  /** Whether the client answers with a list in pages, or with a file. */
  readonly answers: "one" | "pages" | "file";
  /** Whether it is also a command of `ppay`, and how it is called. */
  readonly command: string | null;
}

/** The request as tabs: a command, the clients, and where there is no client the language itself. */
export function requestSamples(request: SampleRequest): string {
  const own = [["sh [curl]", curl(request)], ...clients(request), ...(request.command === null ? languages(request) : command(request))];
  return ["::: code-group", ...own.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``), ":::"].join("\n\n");
}

function addressOf({ path, pathValues, query }: SampleRequest): string {
  const own = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => textOf(pathValues[name]) ?? `<${name}>`);
  const words = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();
  return `${BASE}${own}${words === "" ? "" : `?${words.replaceAll("%2C", ",")}`}`;
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const hasKeyInBody = ({ body }: SampleRequest): boolean => body !== null && "api_key" in body;

function curl(request: SampleRequest): string {
  const { method, body, type } = request;
  const isJson = type === "application/json";
  const data =
    body === null
      ? null
      : isJson
        ? JSON.stringify(body, null, 2)
        : new URLSearchParams(Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])).toString();
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${addressOf(request)}'`,
    ...(hasKeyInBody(request) ? [] : [`-H '${KEY_HEADER}: ${LOCAL_KEY}'`]),
    ...(isJson ? ["-H 'Content-Type: application/json'"] : []),
    ...(data === null ? [] : [`-d '${data.replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}

/** What a client is given: all values, without the key. */
function inputOf({ pathValues, query, body }: SampleRequest): Values {
  const { api_key: _key, auth_mode: _mode, ...fields } = body ?? {};
  return { ...pathValues, ...query, ...fields };
}

function clients(request: SampleRequest): [language: string, code: string][] {
  if (request.client === null) return [];
  const input = inputOf(request);
  const [script, python] = [scriptValue(input), pythonCall(input)];
  const call = `payments.${request.client}(${script === "{}" ? "" : script})`;
  const snake = request.client.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const typed = {
    one: `const answer = await ${call};`,
    pages: `for await (const row of ${call}) console.log(row);`,
    file: `const file = await ${call};\nconsole.log(await file.text());`,
  }[request.answers];
  const spoken = {
    one: `answer = payments.${snake}(${python})`,
    pages: `for row in payments.${snake}(${python}):\n    print(row)`,
    file: `content = payments.${snake}(${python})`,
  }[request.answers];
  return [
    ["ts [TypeScript]", typed],
    ["python [Python]", spoken],
  ];
}

function command({ command: line }: SampleRequest): [language: string, code: string][] {
  return line === null ? [] : [["sh [ppay]", `ppay ${line}`.trim()]];
}

/** Languages without a client of ours. */
function languages(request: SampleRequest): [language: string, code: string][] {
  const { method, body, type } = request;
  if (body === null || type !== "application/json") return [];
  const header = hasKeyInBody(request) ? "" : `    "${KEY_HEADER}: ${LOCAL_KEY}",\n`;
  const php = `$answer = json_decode(file_get_contents("${addressOf(request)}", false, stream_context_create(["http" => [
  "method" => "${method}",
  "header" => [
${header}    "Content-Type: application/json",
  ],
  "content" => json_encode(${phpValue(body, "  ")}),
  "ignore_errors" => true,
]])), true);`;
  const set = hasKeyInBody(request) ? "" : `request.Header.Set("${KEY_HEADER}", "${LOCAL_KEY}")\n`;
  const go = `body := strings.NewReader(\`${JSON.stringify(body, null, 2)}\`)
request, err := http.NewRequest("${method}", "${addressOf(request)}", body)
if err != nil {
	return err
}
${set}request.Header.Set("Content-Type", "application/json")
response, err := http.DefaultClient.Do(request)`;
  return [
    ["php [PHP]", php],
    ["go [Go]", go],
  ];
}

/** A value in JavaScript, its keys without quotes where they need none. */
function scriptValue(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
  return text.length <= 90 ? text.replaceAll(/\n\s*/g, " ") : text;
}

function pythonCall(input: Values): string {
  const parts = Object.entries(input).map(([name, value]) => `${name}=${pythonValue(value)}`);
  const line = parts.join(", ");
  return line.length <= 90 && !line.includes("\n")
    ? line
    : `\n    ${parts.map((part) => part.replaceAll("\n", "\n    ")).join(",\n    ")},\n`;
}

function pythonValue(value: unknown): string {
  const text = JSON.stringify(value, null, typeof value === "object" ? 4 : 0);
  const literal = text
    .replaceAll(/\btrue\b/g, "True")
    .replaceAll(/\bfalse\b/g, "False")
    .replaceAll(/\bnull\b/g, "None");
  return literal.length <= 80 ? literal.replaceAll(/\n\s*/g, " ") : literal;
}

function phpValue(value: unknown, indent: string): string {
  if (Array.isArray(value)) return `[${value.map((one) => phpValue(one, indent)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(([name, one]) => `${indent}  ${JSON.stringify(name)} => ${phpValue(one, `${indent}  `)},`);
  return `[\n${lines.join("\n")}\n${indent}]`;
}
