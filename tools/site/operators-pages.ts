import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../local/processes.ts";
import { pageNamed } from "./pages.ts";

const DOCS = join(root, "docs");

/** The pages of docs/ that are not for partners: operators read them at `/ops/docs/<name>`, after their sign-in. */
const NAMES = readdirSync(DOCS)
  .filter((file) => file.endsWith(".md"))
  .map((file) => basename(file, ".md"))
  .filter((name) => pageNamed(name) === undefined && name !== "README");

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Links between pages, as the service serves them. Other files of the repository are named, and lead nowhere. */
function withOwnLinks(text: string): string {
  return text.replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, href: string) => {
    if (/^(https?:|#)/.test(href)) return link;
    const [, name = "", anchor = ""] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    // A page for partners is reached by the same address: the host of these pages has none of them.
    return NAMES.includes(name) || pageNamed(name) !== undefined ? `[${words}](/ops/docs/${name}${anchor})` : words;
  });
}

const TYPES: Readonly<Record<string, string>> = { ".svg": "image/svg+xml", ".webp": "image/webp" };

/** A picture of docs/ in the page itself: it has no address of its own. */
const withPictures = (html: string): string =>
  html.replaceAll(/src="(?:\.\/)?(pictures\/[\w-]+(\.\w+))"/g, (_, file: string, ending: string) => {
    const content = readFileSync(join(DOCS, file)).toString("base64");
    return `src="data:${TYPES[ending] ?? "application/octet-stream"};base64,${content}"`;
  });

/** The operators' pages as HTML, by their paths in `public/`. They have no script. */
export async function operatorsPages(): Promise<readonly (readonly [path: string, content: string])[]> {
  const { createMarkdownRenderer } = await import("vitepress");
  const plain = { highlight: (code: string) => `<pre tabindex="0"><code>${escaped(code)}</code></pre>`, lineNumbers: false };
  const renderer = await createMarkdownRenderer(DOCS, plain);
  const texts = NAMES.map((name) => [name, readFileSync(join(DOCS, `${name}.md`), "utf8").replaceAll(/<!--[^>]*-->\n/g, "")] as const);
  const titles = texts.map(([name, text]) => [name, /^# (.*)/m.exec(text)?.[1] ?? name] as const);
  const menu = titles.map(([name, title]) => `<li><a href="/ops/docs/${name}">${escaped(title)}</a></li>`).join("");
  return texts.map(([name, text]) => {
    const title = titles.find(([one]) => one === name)?.[1] ?? name;
    const html = renderer.render(withOwnLinks(text), { path: join(DOCS, `${name}.md`) });
    return [`operators/${name}.html`, page(title, menu, withPictures(html.replaceAll(/ v-pre(?:="")?/g, "")))] as const;
  });
}

const page = (title: string, menu: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Pages"><p><a href="/ops/console/">Console</a></p><ul>${menu}</ul></nav>
<main>${body}</main>
</body>
</html>
`;

const STYLE = `
:root { color-scheme: light dark; --text: #1a1d21; --quiet: #56606b; --page: #fff; --code: #f2f4f6; --line: #d9dee3; --link: #3b49df; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --quiet: #a8b0b9; --page: #16181b; --code: #22262b; --line: #3a4048; --link: #9aa5ff; } }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 48rem); gap: 2rem; padding: 1.5rem; color: var(--text); background: var(--page); font: 16px/1.6 system-ui, sans-serif; }
nav { font-size: 0.9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.2rem 0; }
a { color: var(--link); }
.header-anchor { text-decoration: none; font-size: 0; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.3em; font-size: 0.9em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: 0.8rem; overflow-x: auto; }
img { max-width: 100%; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
button.copy, span.lang { display: none; }
@media (max-width: 48rem) { body { grid-template-columns: minmax(0, 1fr); } }
`;
