/** A part of a text: words, or a page of docs/ that it names. */
export type TextPart = { readonly text: string } | { readonly text: string; readonly href: string };

const PAGE = /\bdocs\/([a-z-]{1,40})\.md\b/g;

/** Parts a text of the Worker at the pages that it names. Operators read each at `/ops/docs/<name>`. */
export function docsParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: named, 1: name = "", index } of text.matchAll(PAGE)) {
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: named, href: `/ops/docs/${name}` });
    from = index + named.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
