import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, runTool } from "../local/processes.ts";
import { withProgress } from "../local/progress.ts";
import { asPublicText, withTabs } from "./markdown.ts";
import { PAGES } from "./pages.ts";

const OWN = join(root, "site", ".vitepress");
const KEPT = join(root, ".wrangler", "site");

/**
 * The pages as the documentation generator makes them from docs/, by their paths below `docs/` of the site. It takes some
 * seconds, so what it made is kept until a page, its settings or its version changes.
 * @throws Error if it fails; its output says why
 */
export async function generatePages(): Promise<Map<string, Uint8Array | string>> {
  const sources = new Map([
    ["index.md", readFileSync(join(root, "site", "index.md"), "utf8")],
    ...PAGES.map(({ name }) => [`${name}.md`, asPublicText(withTabs(readFileSync(join(root, "docs", `${name}.md`), "utf8")))] as const),
  ]);
  const kept = join(KEPT, stateOf(sources));
  if (!existsSync(join(kept, "done"))) await generate(sources, kept);
  return new Map(
    filesBelow(join(kept, "docs")).flatMap(([path, content]) => (path.endsWith(".html") ? guarded(path, content) : [[path, content]])),
  );
}

async function generate(sources: ReadonlyMap<string, string>, kept: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  const source = mkdtempSync(join(KEPT, "source-"));
  try {
    for (const [name, text] of sources) writeFileSync(join(source, name), text);
    const env = { SITE_SOURCE: source, SITE_OUTPUT: join(kept, "docs") };
    const build = () => runTool("vitepress", ["build", join(root, "site")], { quiet: true, env });
    const code = await withProgress("Making the documentation, which is kept until a page changes …", build);
    if (code !== 0) throw new Error("the documentation could not be generated; the lines above say why");
    writeFileSync(join(kept, "done"), "");
    for (const other of readdirSync(KEPT))
      if (join(KEPT, other) !== kept && !other.startsWith("source-")) rmSync(join(KEPT, other), { recursive: true, force: true });
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}

/** A digest of all that the generator reads. */
function stateOf(sources: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "node_modules", "vitepress", "package.json")));
  for (const [name, content] of [...sources, ...filesBelow(OWN)]) hash.update(`\n${name}\n`).update(content);
  for (const file of ["markdown.ts", "pages.ts"]) hash.update(readFileSync(join(root, "site", file)));
  return hash.digest("hex").slice(0, 16);
}

function filesBelow(folder: string): [path: string, content: Uint8Array][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return [relative(folder, file).replaceAll("\\", "/"), readFileSync(file)] as [string, Uint8Array];
  });
}

/** A page whose scripts are files of their own, as the content policy of the site demands. */
function guarded(path: string, content: Uint8Array): [path: string, content: Uint8Array | string][] {
  const scripts: [string, string][] = [];
  const page = new TextDecoder()
    .decode(content)
    .replaceAll(/<script id="(check-[\w-]+)">(.*?)<\/script>/gs, (_all, id: string, code: string) => {
      const file = `assets/${id}.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
      scripts.push([file, code]);
      return `<script src="/docs/${file}"></script>`;
    });
  return [[path, page], ...scripts];
}
