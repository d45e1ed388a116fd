import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool } from "../local/processes.ts";
import { withProgress } from "../local/progress.ts";
import { filesBelow, keepFinished, removeOld } from "./files.ts";
import { withTabs } from "./markdown.ts";
import { asPublicText } from "./public-text.ts";

/** The generator's other inputs: its settings and theme, and their imports. */
const SETTINGS = [".vitepress/config.ts", ".vitepress/theme", "markdown.ts", "pages.ts", "try-request.ts"];
/** Pictures that pages show. */
const PICTURES = join(root, "docs", "pictures");
const KEPT = join(root, ".wrangler", "site");

/**
 * The pages that the documentation generator makes of texts in Markdown, by their paths below `docs/` of the site. It takes some
 * seconds, so its output is cached until a page, a setting or its version changes. Several builds can run at once: each
 * has its own folder, and the first finished output is kept.
 * @throws Error if it fails; its output says why
 */
export async function generatePages(texts: ReadonlyMap<string, string>): Promise<Map<string, Uint8Array | string>> {
  const sources = new Map([
    ["index.md", readFileSync(join(root, "tools", "site", "index.md"), "utf8")],
    ...[...texts].map(([name, text]) => [`${name}.md`, asPublicText(withTabs(text))] as const),
  ]);
  const kept = join(KEPT, stateOf(sources));
  if (!existsSync(kept)) await generate(sources, kept);
  return new Map(filesBelow(kept).flatMap(([path, content]) => (path.endsWith(".html") ? guarded(path, content) : [[path, content]])));
}

async function generate(sources: ReadonlyMap<string, string>, kept: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  removeOld(KEPT);
  const own = mkdtempSync(join(KEPT, "build-"));
  try {
    for (const path of SETTINGS) cpSync(join(root, "tools", "site", path), join(own, path), { recursive: true });
    mkdirSync(join(own, "pages"));
    for (const [name, text] of sources) writeFileSync(join(own, "pages", name), text);
    if (existsSync(PICTURES)) cpSync(PICTURES, join(own, "pages", "pictures"), { recursive: true });
    const build = () => runTool("vitepress", ["build", own], { quiet: true });
    const code = await withProgress("Making the documentation, which is kept until a page changes …", build);
    if (code !== 0) throw new Error("the documentation could not be generated; the lines above say why");
    keepFinished(join(own, "out"), kept);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** A digest of all inputs of the generator. */
function stateOf(sources: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "node_modules", "vitepress", "package.json")));
  const settings = SETTINGS.flatMap((path): [path: string, content: Uint8Array][] => {
    const place = join(root, "tools", "site", path);
    return statSync(place).isDirectory() ? filesBelow(place) : [[path, readFileSync(place)]];
  });
  const pictures = existsSync(PICTURES) ? filesBelow(PICTURES) : [];
  for (const [name, content] of [...sources, ...settings, ...pictures]) hash.update(`\n${name}\n`).update(content);
  return hash.digest("hex").slice(0, 16);
}

/** Moves a page's scripts to files, as the content policy requires. */
function guarded(path: string, content: Uint8Array): [path: string, content: Uint8Array | string][] {
  const scripts: [string, string][] = [];
  const inline = /<script id="(check-[\w-]+)">(.*?)<\/script>/gs;
  const page = new TextDecoder().decode(content).replaceAll(inline, (_all, id: string, code: string) => {
    const file = `assets/${id}.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`;
    scripts.push([file, code]);
    return `<script src="/docs/${file}"></script>`;
  });
  return [[path, page], ...scripts];
}
