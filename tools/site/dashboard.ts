import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../../src/core/limits.ts";
import { formSchemaOf } from "../../src/http/calls/description.ts";
import { operatorsPaths } from "../../src/http/objects/index.ts";
import { operationNames } from "../../src/http/objects/requests.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import type { OpsCall } from "../../src/http/ops/define-call.ts";
import { describeOps } from "../../src/http/ops/description.ts";
import { root, runTool } from "../local/processes.ts";
import { withProgress } from "../local/progress.ts";
import { typesOf } from "./call-types.ts";
import { type FileContent, filesBelow, keepFinished, removeOld } from "./files.ts";

type Json = Readonly<Record<string, unknown>>;

/** The calls whose bodies the forms check, by the names of their descriptions. */
const CHECKED_BODIES: Readonly<Record<string, string>> = {
  "payment-link-create": "/webhook/payment-link-create",
  "promotion-code-create": "/webhook/promotion-code-create",
  "create-partner-processor-cart-payment-link": "/create-partner-processor-cart-payment-link",
  "create-partner-bank-cart-payment": "/create-partner-bank-cart-payment",
  "register-partner-notifications-webhook": "/register-partner-notifications-webhook",
  "rotate-partner-webhook-secret": "/rotate-partner-webhook-secret",
  "webhooks-test": "/partner/webhooks/{webhook}/test",
};

/** The field of a body that carries the key in the first generation. */
const KEY = "api_key";

const FOLDER = join(root, "dashboard");
const KEPT = join(root, ".wrangler", "dashboard");
const GENERATED = {
  types: join(FOLDER, "src", "api", "schema.d.ts"),
  bodies: join(FOLDER, "src", "api", "bodies.ts"),
  opsTypes: join(FOLDER, "src", "ops", "api", "schema.d.ts"),
  definitions: join(FOLDER, "src", "ops", "api", "definitions.ts"),
  paths: join(FOLDER, "src", "ops", "api", "paths.ts"),
};

const DEFINITIONS_HEAD = `import type { CallDefinition } from "./call-definition.ts";\n\nexport const definitions: readonly CallDefinition[] = `;
const PATHS_HEAD = "export const operatorsPaths: Readonly<Record<string, string>> = ";
const BODIES_HEAD = `import type { Schema } from "@cfworker/json-schema";\n\nexport const bodies: Readonly<Record<string, Schema>> = `;

/** The rule of an order reference in the query of a short link: no body has it. */
const ORDER_REFERENCE = `\nexport const orderReferencePattern = ${JSON.stringify(limits.checkoutReference.pattern)};\n`;

/** What a list of requests can be narrowed to. */
const OPERATIONS = `\nexport const operationNames: readonly string[] = ${JSON.stringify(operationNames)};\n`;

/** Whether the packages of the pages are installed: a workspace can be left out. */
const isInstalled = () => existsSync(join(root, "node_modules", "@mantine", "core"));

/**
 * The pages of the dashboard by their paths, built from dashboard/ and the API description. They are kept until one of
 * these changes. Null without their packages: a line says how to get them, and pages that were built before stay.
 * @throws Error if the build fails; its output says why.
 */
export async function buildDashboard(description: object): Promise<Map<string, FileContent> | null> {
  if (!isInstalled()) {
    console.error("The dashboard is left out, because its packages are not installed: npm ci installs them.");
    return null;
  }
  const kept = join(KEPT, stateOf(description));
  await generateTypes(description);
  if (!existsSync(kept)) await build(kept);
  return new Map(filesBelow(kept));
}

/** Writes what the pages know of the calls: the types of all, and the bodies that their forms check. */
async function generateTypes(description: object): Promise<void> {
  const bodies = `${BODIES_HEAD}${JSON.stringify(bodiesIn(description), null, 2)};\n${ORDER_REFERENCE}${OPERATIONS}`;
  const definitions = `${DEFINITIONS_HEAD}${JSON.stringify(opsCalls.map(definitionOf), null, 2)};\n`;
  const ofOps = describeOps(opsCalls, "https://api.example.com");
  const paths = `${PATHS_HEAD}${JSON.stringify(operatorsPaths, null, 2)};\n`;
  const text = `${JSON.stringify(description)}${bodies}${JSON.stringify(ofOps)}${definitions}${paths}`;
  const mark = `// Made from the API description ${createHash("sha256").update(text).digest("hex").slice(0, 16)} by npm run site.`;
  if (Object.values(GENERATED).every((file) => existsSync(file) && readFileSync(file, "utf8").startsWith(mark))) return;
  mkdirSync(KEPT, { recursive: true });
  for (const [file, content] of [
    [GENERATED.types, await typesOf(description, KEPT)],
    [GENERATED.opsTypes, await typesOf(ofOps, KEPT)],
    [GENERATED.bodies, bodies],
    [GENERATED.definitions, definitions],
    [GENERATED.paths, paths],
  ] as const) {
    const made = join(KEPT, `generated-${process.pid}`);
    writeFileSync(made, `${mark}\n${content}`);
    mkdirSync(dirname(file), { recursive: true });
    renameSync(made, file);
  }
}

/** What the console knows of a call: its command, its page in the palette and its form are made of it. */
function definitionOf({ command, method, path, summary, role, irreversible, continues, positional, file, params, query, body }: OpsCall) {
  return {
    command,
    method,
    path,
    summary,
    role,
    irreversible,
    continues,
    positional,
    takesFile: file !== null,
    params: formSchemaOf(params),
    query: formSchemaOf(query),
    body: body === null ? null : formSchemaOf(body),
  };
}

async function build(kept: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  removeOld(KEPT);
  const own = join(KEPT, `build-${process.pid}`);
  const run = () => runTool("vite", ["build", FOLDER, "--outDir", own, "--emptyOutDir", "--logLevel", "warn"], { quiet: true });
  const code = await withProgress("Making the dashboard, which is kept until a page changes …", run);
  if (code !== 0) throw new Error("the dashboard could not be built; the lines above say why");
  keepFinished(own, kept);
}

/** A digest of everything that the pages are made from. */
function stateOf(description: object): string {
  const hash = createHash("sha256")
    .update(JSON.stringify(description))
    .update(readFileSync(join(root, "package-lock.json")));
  for (const [path, content] of filesBelow(join(FOLDER, "src"))) {
    if (!Object.values(GENERATED).includes(join(FOLDER, "src", path))) hash.update(`\n${path}\n`).update(content);
  }
  hash.update(JSON.stringify([opsCalls.map(definitionOf), operatorsPaths]));
  for (const name of ["index.html", "console.html", "vite.config.ts", "tsconfig.json"]) hash.update(readFileSync(join(FOLDER, name)));
  return hash.digest("hex").slice(0, 16);
}

/**
 * The bodies of some calls as JSON Schema, with every reference replaced by what it refers to. A key has no place in them: a
 * page has a session.
 */
function bodiesIn(description: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(CHECKED_BODIES).map(([name, path]) => {
      const schema = at(description, ["paths", path, "post", "requestBody", "content", "application/json", "schema"]);
      // Left out of the file, it would leave a form without its choices.
      if (schema === undefined) throw new Error(`the description has no body of POST ${path}`);
      return [name, withoutKey(resolved(description, schema))];
    }),
  );
}

function withoutKey(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { properties, required } = schema;
  const kept = isObject(properties) ? Object.fromEntries(Object.entries(properties).filter(([name]) => name !== KEY)) : properties;
  return { ...schema, properties: kept, ...(Array.isArray(required) ? { required: required.filter((name) => name !== KEY) } : {}) };
}

function resolved(description: object, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => resolved(description, one));
  if (!isObject(schema)) return schema;
  if (typeof schema.$ref === "string") return resolved(description, at(description, schema.$ref.replace("#/", "").split("/")));
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolved(description, value)]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((found, name) => (isObject(found) ? found[name] : undefined), value);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
