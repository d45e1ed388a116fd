import { pageNamed } from "./pages.ts";

/**
 * A page of docs/ for the site: without comments for editors (for example, which test executes a block), and with plain
 * text for links to pages outside the site.
 */
export function asPublicText(text: string): string {
  const said = text.replaceAll(/<!--[^>]*-->\n/g, "");
  return said.replaceAll(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, href: string) => (isOnSite(href) ? link : words));
}

function isOnSite(href: string): boolean {
  if (/^(https?:|#|\/)/.test(href)) return true;
  const [, name = ""] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return pageNamed(name) !== undefined;
}

/** The code blocks between the comments `tabs` and `/tabs` as tabs, in the generator's own syntax. */
export function withTabs(text: string): string {
  return text.replaceAll("<!-- tabs -->\n", "::: code-group\n").replaceAll("<!-- /tabs -->\n", ":::\n");
}

/** The anchor of a heading: a name such as `INVALID_INPUT` unchanged, other words in lower case with hyphens. */
export function anchorOf(heading: string): string {
  if (/^[\w.]+$/.test(heading) && /[_.]|^[A-Z]+$/.test(heading)) return heading;
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
