import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../local/processes.ts";
import { buildDashboard } from "./dashboard.ts";
import { generatePages } from "./generate.ts";
import { asPublicText } from "./markdown.ts";
import { describeApi } from "./openapi/document.ts";
import { PAGES } from "./pages.ts";
import { toPostman } from "./postman.ts";

const PUBLIC = join(root, "public");
const SCRATCH = join(root, ".wrangler");

/**
 * Writes what the Worker serves as static assets, from docs/, dashboard/ and the definitions in src/: the API description, the
 * dashboard, the reference page, the partners' pages as HTML and as Markdown, llms.txt and the Postman collection. Unchanged files
 * are not rewritten, so that several builds can run at once and file watchers are not triggered needlessly.
 */
export async function buildSite(): Promise<void> {
  const files = await makeFiles();
  for (const [path, content] of files) writeIfChanged(join(PUBLIC, path), content);
  // Deletes pages that no longer exist. Other files in public/ may belong to the user.
  const hasDashboard = [...files.keys()].some((path) => path.startsWith("dashboard/"));
  for (const folder of ["docs", ...(hasDashboard ? ["dashboard"] : [])]) removeOthers(folder, files);
}

function removeOthers(folder: string, wanted: ReadonlyMap<string, unknown>): void {
  if (!existsSync(join(PUBLIC, folder))) return;
  for (const entry of readdirSync(join(PUBLIC, folder), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !wanted.has(relative(PUBLIC, file).replaceAll("\\", "/"))) rmSync(file, { force: true });
  }
}

async function makeFiles(): Promise<Map<string, string | Uint8Array>> {
  const description = describeApi();
  const library = dirname(fileURLToPath(import.meta.resolve("@scalar/api-reference")));
  const pages = await generatePages();
  const dashboard = await buildDashboard(description);
  return new Map<string, string | Uint8Array>([
    ["openapi.json", JSON.stringify(description)],
    ["docs/partner-payments.postman_collection.json", JSON.stringify(await toPostman(description), null, 2)],
    ["llms.txt", llmsText()],
    ...[...pages].map(([path, content]) => [path === "index.html" ? "docs.html" : `docs/${path}`, content] as const),
    ...PAGES.map(({ name }) => [`docs/${name}.md`, asPublicText(readFileSync(join(root, "docs", `${name}.md`), "utf8"))] as const),
    ...[...(dashboard ?? [])].map(([path, content]) => [`dashboard/${path}`, content] as const),
    ["docs/reference.html", REFERENCE_PAGE],
    ...["reference.css", "reference.js"].map((name) => asset(join(import.meta.dirname, "static"), name)),
    asset(join(library, "browser"), "standalone.js", "scalar.js"),
  ]);
}

function asset(folder: string, name: string, as = name): [path: string, content: Uint8Array] {
  return [`docs/assets/${as}`, readFileSync(join(folder, name))];
}

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Partner payments</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/reference.css">
<script src="/docs/assets/scalar.js" defer></script>
<script src="/docs/assets/reference.js" defer></script>
</head>
<body>
<nav aria-label="Documentation"><a href="/docs">Partner payments</a> <a href="/docs/quickstart">Quickstart</a>
<a href="/openapi.json">OpenAPI 3.1</a> <a href="/docs/partner-payments.postman_collection.json" download>Postman collection</a>
<a href="/llms.txt">For agents</a></nav>
<noscript>The reference needs a script of this page; the description itself is <a href="/openapi.json">openapi.json</a>.</noscript>
<div id="reference"></div>
</body>
</html>
`;

/** A map of the documentation for language models (the llms.txt proposal). */
function llmsText(): string {
  const pages = PAGES.map(({ name, title, about }) => `- [${title}](/docs/${name}.md): ${about}`);
  return `# Partner payments

> Payment links, promotion codes and ruble payments with a fiscal receipt for partners; what was paid; signed events.

Nearly every operation answers HTTP 200 whatever became of it: look at \`success\` in the body. Send a new \`client_token\`
for each order and the same one in every repeat of it. Amounts in requests are integers of minor units.

## Documentation

${pages.join("\n")}

## Machine-readable

- [OpenAPI 3.1](/openapi.json): every operation of both generations and every event
- [Postman collection](/docs/partner-payments.postman_collection.json): each request with an example, for a local stack as it is
- MCP endpoint: \`POST /mcp\`, Streamable HTTP, the key in the header \`X-Partner-Api-Key\`
`;
}

function writeIfChanged(file: string, content: string | Uint8Array): void {
  const wanted = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (isThere(file, wanted)) return;
  mkdirSync(dirname(file), { recursive: true });
  // Written to a temporary file and renamed, so that a partial file is never served.
  mkdirSync(SCRATCH, { recursive: true });
  const whole = join(SCRATCH, `site-${process.pid}.new`);
  writeFileSync(whole, wanted);
  renameSync(whole, file);
}

function isThere(file: string, wanted: Uint8Array): boolean {
  try {
    const present: Uint8Array = readFileSync(file);
    return present.length === wanted.length && present.every((byte, index) => byte === wanted[index]);
  } catch {
    return false;
  }
}
