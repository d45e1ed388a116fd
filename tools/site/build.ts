import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../local/processes.ts";
import { buildPackages } from "../release/build.ts";
import { changelogFeed } from "./changelog-feed.ts";
import { buildDashboard } from "./dashboard.ts";
import type { FileContent } from "./files.ts";
import { generatePages } from "./generate.ts";
import { describeApi } from "./openapi/document.ts";
import { operatorsPages } from "./operators-pages.ts";
import { PAGES, type Page } from "./pages.ts";
import { toPostman } from "./postman.ts";
import { asPublicText } from "./public-text.ts";
import { referencePage } from "./reference.ts";
import { sectionsOf } from "./sections.ts";
import { skillFiles } from "./skills.ts";

const PUBLIC = join(root, "public");
const SCRATCH = join(root, ".wrangler");
/** The address of a heading, in the syntax of the generator alone. */
const ANCHOR = / \{#[\w-]+\}$/gm;

/**
 * Writes what the Worker serves as static assets, from docs/, dashboard/ and the definitions in src/: the API description, the
 * dashboard, the partners' pages and the reference as HTML and as Markdown, llms.txt and the Postman collection. Unchanged files
 * are not rewritten, so that several builds can run at once and file watchers are not triggered needlessly.
 */
export async function buildSite(): Promise<void> {
  const files = await makeFiles();
  for (const [path, content] of files) writeIfChanged(join(PUBLIC, path), content);
  // Deletes pages that no longer exist. Other files in public/ may belong to the user.
  const wasMade = (page: string) => [...files.keys()].some((path) => path === page);
  if (wasMade("docs.html")) removeOthers("docs", files);
  if (wasMade("dashboard/index.html")) removeOthers("dashboard", files);
  if (wasMade("docs.html")) removeOthers("operators", files);
  removeOthers("packages", files);
}

function removeOthers(folder: string, wanted: ReadonlyMap<string, unknown>): void {
  if (!existsSync(join(PUBLIC, folder))) return;
  for (const entry of readdirSync(join(PUBLIC, folder), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !wanted.has(relative(PUBLIC, file).replaceAll("\\", "/"))) rmSync(file, { force: true });
  }
}

/** What the tool for agents does not search: tools have schemas of their own, and a changelog says what was. */
const NOT_SEARCHED = /^(?:reference|changelog)/;

async function makeFiles(): Promise<Map<string, FileContent>> {
  const description = describeApi();
  const dashboard = [...((await buildDashboard(description)) ?? [])].map(([path, content]) => [`dashboard/${path}`, content] as const);
  const texts = new Map(PAGES.map((page) => [page.name, textOf(page, description)]));
  const pages = [...texts].map(([name, text]) => [name, asPublicText(text).replaceAll(ANCHOR, "")] as const);
  return new Map<string, FileContent>([
    ["openapi.json", JSON.stringify(description)],
    ["docs/partner-payments.postman_collection.json", JSON.stringify(toPostman(description), null, 2)],
    ["llms.txt", llmsText()],
    ["docs/sections.json", JSON.stringify(pages.flatMap(([name, text]) => (NOT_SEARCHED.test(name) ? [] : sectionsOf(name, text))))],
    ["llms-full.txt", pages.map(([name, text]) => `<!-- /docs/${name}.md -->\n${text}`).join("\n\n")],
    ["docs/changelog.xml", changelogFeed(texts.get("changelog") ?? "")],
    ...skillFiles(),
    ...pages.map(([name, text]) => [`docs/${name}.md`, text] as const),
    ...dashboard,
    ...(await buildPackages(description, new Map(dashboard))),
    ...((await makePages(texts)) ?? []),
  ]);
}

/** A page in Markdown: a file of docs/, or a page of the reference. */
function textOf({ name, title, tag }: Page, description: object): string {
  return tag === undefined ? readFileSync(join(root, "docs", `${name}.md`), "utf8") : referencePage(description, title, tag);
}

/** Whether the packages of the documentation are installed: a workspace can be left out. */
const isInstalled = () => existsSync(join(root, "node_modules", "vitepress"));

/**
 * The documentation as HTML. Null without its packages: a line says how to get them, and pages that were built before
 * stay.
 */
async function makePages(texts: ReadonlyMap<string, string>): Promise<readonly (readonly [path: string, content: FileContent])[] | null> {
  if (!isInstalled()) {
    console.error("The pages of the documentation are left out, because their packages are not installed: npm ci installs them.");
    return null;
  }
  return [
    ...[...(await generatePages(texts))].map(([path, content]) => [path === "index.html" ? "docs.html" : `docs/${path}`, content] as const),
    ...(await operatorsPages()),
  ];
}

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

- [All pages in one file](/llms-full.txt)
- [OpenAPI 3.1](/openapi.json): every operation of both generations and every event
- [Skills](/.well-known/agent-skills/index.json): to sell by links, to receive events, to reconcile
- [Packages](/packages/index.json): the clients, the command, and the whole service for your machine
- [Changelog as a feed](/docs/changelog.xml) (Atom)
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
