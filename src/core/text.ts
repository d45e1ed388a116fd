import { lazy } from "./lazy.ts";

/**
 * A text on one line: line ends, tabs and runs of blanks become one blank, and format characters (direction marks, zero-width
 * spaces) are removed. The joiner within an emoji stays.
 */
export function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/(?!\u200d)\p{Cf}/gu, "")
    .trim();
}

const segmenter = lazy(() => new Intl.Segmenter("ru", { granularity: "grapheme" }));

/**
 * Truncates a text to at most `most` UTF-16 units, because upstream counts in them. It never splits a grapheme. It ends
 * a truncated text with an ellipsis.
 */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { index, segment } of segmenter().segment(text)) {
    if (index + segment.length > most - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
