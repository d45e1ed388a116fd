import { lazy } from "./lazy.ts";

/**
 * A text on one line: line ends, tabs and runs of blanks become one blank, and format characters (direction marks, zero-width
 * spaces) are removed. The joiner within an emoji stays.
 */
export function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/(?!\u200d)\p{Cf}/gu, "")
    .replaceAll(/(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu, "")
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

/** A letter or digit at the edge, or one behind the mark of a number, a date or an address: the word goes on there. */
const GOES_ON_BEFORE = /[\p{L}\p{N}_][-.,:/]?$/u;
const GOES_ON_AFTER = /^[-.,:/]?[\p{L}\p{N}_]/u;

/**
 * Whether a text has a word that is not a part of a longer one, in the case as it stands: order 10 is not named by 2026-10-01,
 * nor by 10.50.
 */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (!GOES_ON_BEFORE.test(text.slice(Math.max(0, at - 2), at)) && !GOES_ON_AFTER.test(text.slice(end, end + 2))) return true;
  }
  return false;
}
