import type { Plugin } from "vite";

/** Bars where a page's menu and cards will be, in the colours of the system's scheme. */
const STYLE = `
body > .waiting { --bar: #e9ecef; --back: #f8f9fa; --card: #fff; position: fixed; inset: 0; background: var(--back); }
@media (prefers-color-scheme: dark) { body > .waiting { --bar: #2f343b; --back: #16181b; --card: #1f2328; } }
body:has(#root > *) > .waiting { display: none; }
.waiting i { position: absolute; display: block; border-radius: 8px; background: var(--bar); }
.waiting .head { inset: 0 0 auto 0; height: 55px; border-radius: 0; background: var(--card); }
.waiting .menu { top: 76px; left: 16px; width: 184px; height: 300px; }
.waiting .title { top: 92px; left: 248px; width: 220px; height: 28px; }
.waiting .card { left: 248px; right: 32px; height: 180px; background: var(--card); }
.waiting .first { top: 148px; }
.waiting .second { top: 348px; }
@media (max-width: 48em) { .waiting .menu { display: none; } .waiting .title, .waiting .card { left: 16px; right: 16px; } .waiting .title { width: auto; right: 40%; } }
`;

const WAITING = `<div class="waiting" aria-hidden="true"><i class="head"></i><i class="menu"></i><i class="title"></i><i class="card first"></i><i class="card second"></i></div>`;

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*>/g;
const ROOT = '<div id="root"></div>';

/**
 * The page as the browser gets it: what stands for it until its script has drawn it comes with it, and its style sheets come behind that,
 * so that they do not keep it waiting. They stay before the application, whose own styles stand above them.
 */
export function withSkeleton(html: string): string {
  if (!html.includes(ROOT)) throw new Error("the page has no place for the application");
  const sheets = html.match(STYLESHEET)?.join("") ?? "";
  return html
    .replaceAll(STYLESHEET, "")
    .replace("</head>", () => `<style>${STYLE}</style>\n</head>`)
    .replace(ROOT, () => `${WAITING}${sheets}\n${ROOT}`);
}

export const skeleton: Plugin = { name: "skeleton", transformIndexHtml: { order: "post", handler: withSkeleton } };
