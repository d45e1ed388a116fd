import { escapeHtml } from "./markdown.ts";
import { PAGES } from "./pages.ts";

interface Content {
  readonly title: string;
  /** The page's own path, which the menu highlights. */
  readonly path: string;
  readonly body: string;
  readonly head?: string;
}

/** A page of the site: menu at the side, or on top on a phone; light or dark by system setting; no script. */
export function layOut({ title, path, body, head = "" }: Content): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Partner payments</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/site.css">
${head}</head>
<body>
<header><a class="home" href="/docs">Partner payments</a>
<details class="menu"><summary>Menu</summary>${menu(path)}</details></header>
<div class="columns">
<nav class="side" aria-label="Documentation">${menu(path)}</nav>
<main>
${body}</main>
</div>
</body>
</html>
`;
}

function menu(path: string): string {
  const entries = [{ address: "/docs", title: "API reference" }, ...PAGES.map(({ name, title }) => ({ address: `/docs/${name}`, title }))];
  const items = entries.map(
    ({ address, title }) => `<li><a href="${address}"${address === path ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`,
  );
  return `<ul>${items.join("")}</ul>`;
}
