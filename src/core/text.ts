const segmenter = new Intl.Segmenter("ru", { granularity: "grapheme" });

/**
 * The beginning of a text, at most so many UTF-16 units long, which is how upstream counts. What a reader sees as one
 * character is kept whole or left out; where something was left out an ellipsis says so.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    if (index + segment.length > most - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
