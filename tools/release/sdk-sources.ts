import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Call } from "../../src/http/calls/call.ts";
import { cures } from "../../src/http/cures.ts";
import { KEY_HEADER } from "../../src/http/key-messages.ts";
import type { Operation } from "../../src/http/operation.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import type { StatusOperation } from "../../src/http/v1/status-operation.ts";
import { operations } from "../../src/http/v2/index.ts";
import { root } from "../local/processes.ts";
import { typesOf } from "../site/call-types.ts";
import type { describeApi } from "../site/openapi/document.ts";

const FOLDER = join(root, "packages", "sdk", "src");
const SCRATCH = join(root, ".wrangler", "packages");

/** A method of the client. */
export interface Method {
  /** As in `links.createForCart`. */
  readonly name: string;
  /** Its id in the API description. */
  readonly id: string;
  readonly summary: string;
  /** How it is sent: the fields of `Call` in packages/sdk/src/send.ts. */
  readonly call: Readonly<Record<string, unknown>>;
  readonly kind: "one" | "pages" | "file";
  /** Its command with the arguments of an example; null if it is none. */
  readonly command: string | null;
  /** Whether it can be called without an input. */
  readonly isOptional: boolean;
  readonly path: string;
}

/** Calls that a key is always refused: what it could do would outlive it. */
const BY_PEOPLE: ReadonlySet<string> = new Set(["people invite", "people invite-again"]);

/** The calls of keys. Only a browser has a session. */
export const callsOfKeys = partnerCalls.filter(({ permission, command }) => permission !== "signed_in" && !BY_PEOPLE.has(command));

/** Every method of the clients, in the order of the API description. */
export const methods: readonly Method[] = [
  ...[...operations, ...creations].map(methodOfOperation),
  ...withStatuses.flatMap(methodOfStatusOperation),
  ...callsOfKeys.map(methodOfCall),
];

/** What chooses a file where a call answers JSON, too: a client reads JSON alone. */
const OF_FILES: ReadonlySet<string> = new Set(["format", "locale"]);
const ANSWERS_BOTH = new Set(callsOfKeys.filter(({ download }) => download === "if_accepted").map(({ path }) => path));

/** The API description without what no client calls. */
function describedForClients({ paths, ...description }: ReturnType<typeof describeApi>) {
  const wanted = new Set(methods.map(({ path }) => path));
  const own = Object.entries(paths ?? {}).filter(([path]) => wanted.has(path));
  return { ...description, paths: Object.fromEntries(own.map(([path, item]) => [path, ANSWERS_BOTH.has(path) ? asJson(item) : item])) };
}

const readSchema = z.looseObject({ get: z.looseObject({ parameters: z.array(z.looseObject({ name: z.string() })) }) });

function asJson(item: unknown) {
  const { get, ...others } = readSchema.parse(item);
  return { ...others, get: { ...get, parameters: get.parameters.filter(({ name }) => !OF_FILES.has(name)) } };
}

function methodOfOperation({ name, method, summary, path, key, keyField, effect, bodyless, input }: Operation): Method {
  const isSafe = effect.readOnly ? { isSafe: true } : {};
  const call = {
    method: "POST",
    path,
    ...isSafe,
    ...(keyField === null ? {} : { token: keyField }),
    ...(key === "body" ? { keyInBody: true } : {}),
  };
  return {
    name: method,
    id: idOf(name),
    summary,
    call,
    kind: "one",
    command: null,
    isOptional: bodyless || input.safeParse({}).success,
    path,
  };
}

function methodOfStatusOperation({ name, method, summary, path, query, bodyType }: StatusOperation): Method[] {
  if (method === null) return [];
  const isForm = bodyType === "application/x-www-form-urlencoded";
  const call = { method: "POST", path, isSafe: true, query: Object.keys(query.shape), ...(isForm ? { isForm } : {}) };
  return [{ name: method, id: idOf(name), summary, call, kind: "one", command: null, isOptional: false, path }];
}

function idOf(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function methodOfCall({ command, method, summary, path, params, query, body, download, example }: Call): Method {
  const fields = Object.keys(query.shape);
  const call = { method, path, ...(method !== "GET" && fields.length > 0 ? { query: fields } : {}) };
  const words = command.split(" ");
  const isOptional = Object.keys(params.shape).length === 0 && query.safeParse({}).success && (body?.safeParse({}).success ?? true);
  const kind = download === "always" ? "file" : fields.includes("cursor") ? "pages" : "one";
  return {
    name: words.map(camelCase).join("."),
    id: words.join("-"),
    summary,
    call,
    kind,
    command: `${command} ${example}`,
    isOptional,
    path,
  };
}

function camelCase(word: string): string {
  return word.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

const NOTE = "made by npm run site from the definitions of the calls";

/** Writes what the client is made of besides its own code: the types of all calls, its methods, and what its errors mean. */
export async function makeSdkSources(description: ReturnType<typeof describeApi>): Promise<void> {
  const described = describedForClients(description);
  const [client, definitions] = [clientText(), definitionsText()];
  const digest = createHash("sha256")
    .update(JSON.stringify([described, client, definitions]))
    .digest("hex")
    .slice(0, 16);
  const mark = `// ${digest}: ${NOTE}\n`;
  const files = ["schema.d.ts", "client.ts", "definitions.ts"].map((name) => join(FOLDER, name));
  if (files.every((file) => existsSync(file) && readFileSync(file, "utf8").startsWith(mark))) return;
  mkdirSync(SCRATCH, { recursive: true });
  const texts = [await typesOf(described, SCRATCH), client, definitions];
  for (const [at, file] of files.entries()) {
    const made = join(SCRATCH, `sdk-${process.pid}`);
    writeFileSync(made, `${mark}${texts[at] ?? ""}`);
    renameSync(made, file);
  }
}

function definitionsText(): string {
  const repeats = Object.fromEntries(Object.entries(cures).map(([code, { repeatable }]) => [code, repeatable]));
  return `import type { Repeat } from "./failure.ts";

/** The header that has the key. */
export const KEY_HEADER = ${JSON.stringify(KEY_HEADER)};

/** What a repeat needs, by error code. */
export const repeats: Readonly<Record<string, Repeat>> = ${JSON.stringify(repeats)};
`;
}

function clientText(): string {
  const nouns = Map.groupBy(methods, ({ name }) => name.split(".")[0] ?? "");
  const members = [...nouns].map(([noun, ofNoun]) => {
    const [only] = ofNoun;
    if (only !== undefined && only.name === noun) return methodText(only, noun);
    return `${noun}: {\n${ofNoun.map((method) => methodText(method, method.name.split(".")[1] ?? "")).join("\n")}\n},`;
  });
  const ids = methods.map(({ name, id }) => `${JSON.stringify(name)}: ${JSON.stringify(id)};`);
  return `import { type CallOptions, type ClientOptions, sender } from "./send.ts";
import type { Input } from "./types.ts";

/** The calls of the API description, by the names of the methods. */
export interface MethodIds {
${ids.join("\n")}
}

/** A client of the service for one key. Its methods are the operations and your own calls. @throws PaymentsError for a wrong address or key */
export function createClient(options: ClientOptions) {
  const { one, pages, file } = sender(options);
  return {
${members.join("\n")}
  };
}

/** The client of the service. */
export type PartnerPayments = ReturnType<typeof createClient>;
`;
}

function methodText({ id, summary, call, kind, isOptional }: Method, name: string): string {
  const generic = kind === "file" ? "" : `<${JSON.stringify(id)}>`;
  return `/** ${summary}. */
${name}: (input${isOptional ? "?" : ""}: Input<${JSON.stringify(id)}>, how?: CallOptions) => ${kind}${generic}(${JSON.stringify(call)}, input, how),`;
}
