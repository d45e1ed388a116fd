import { Marked, type Tokens } from "marked";
import { pageNamed } from "./pages.ts";

/** Renders a page of docs/ as HTML. Headings have anchors; on a phone, tables and code scroll separately. */
export function renderMarkdown(text: string): string {
  const anchors = new Set<string>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(tokens, anchors);
        const heading = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${heading}</h1>\n`;
        return `<h${depth} id="${escapeHtml(anchor)}">${heading} <a class="anchor" href="#${escapeHtml(anchor)}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      table(token) {
        const inside = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const heads = token.header.map((cell) => `<th scope="col">${inside(cell)}</th>`);
        // On a phone each row is a card, and each entry shows its column name.
        const labels = token.header.map(({ text: head }) => escapeHtml(head.replaceAll("`", "")));
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell, column) => `<td data-head="${labels[column]}">${inside(cell)}</td>`).join("")}</tr>`,
        );
        return `<div class="scroll"><table>\n<thead><tr>${heads.join("")}</tr></thead>\n<tbody>${rows.join("\n")}</tbody>\n</table></div>\n`;
      },
      code({ text: code, lang }) {
        return `<pre tabindex="0"><code${lang === undefined ? "" : ` data-language="${escapeHtml(lang)}"`}>${escapeHtml(code)}</code></pre>\n`;
      },
      codespan({ text: code }) {
        // Long names may break only after `_`, `.`, `/` and `-`.
        return `<code>${escapeHtml(code).replaceAll(/([_./-])(?=\w)/g, "$1<wbr>")}</code>`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = siteAddress(href);
        return target === null ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
      },
      // Drops HTML comments, which are for editors of the page: for example, which test executes a block.
      html: () => "",
    },
  });
  return marked.parse(text, { async: false });
}

/**
 * The site address of a link in docs/. Null if the target page is not on the site: then only the link text is shown,
 * without a link.
 */
function siteAddress(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [, name = "", anchor = ""] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return pageNamed(name) === undefined ? null : `/docs/${name}${anchor}`;
}

/** A page as text, without comments for editors. Links to pages that are not on the site are replaced by their text. */
export function asPublicText(text: string): string {
  const said = text.replaceAll(/<!--[^>]*-->\n/g, "");
  return said.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, href: string) => (siteAddress(href) === null ? words : link));
}

/** The anchor of a heading: a heading of inline code only uses the code itself; others use a slug of their text. */
function anchorOf(tokens: readonly Tokens.Generic[], taken: Set<string>): string {
  const [only] = tokens;
  const isCode = tokens.length === 1 && only?.type === "codespan";
  const words = tokens.map(({ text }) => String(text ?? "")).join("");
  const slug = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const wanted = isCode ? words : slug;
  let anchor = wanted;
  for (let count = 1; taken.has(anchor); count += 1) anchor = `${wanted}-${count}`;
  taken.add(anchor);
  return anchor;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
