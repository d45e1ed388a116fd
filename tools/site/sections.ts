/** A section of a page: what stands below one heading, without what stands below the next. */
interface Section {
  readonly page: string;
  /** The headings above it, from the page's on. */
  readonly heading: string;
  readonly text: string;
}

const HEADING = /^(#{1,3}) (.+)$/;

/** The sections of a page in Markdown, in its order. A line in a sample is no heading. */
export function sectionsOf(page: string, text: string): Section[] {
  const sections: { headings: string[]; lines: string[] }[] = [];
  let isSample = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isSample = !isSample;
    const [, level = "", title = ""] = (isSample ? null : HEADING.exec(line)) ?? [];
    const current = sections.at(-1);
    if (level !== "") sections.push({ headings: [...(current?.headings ?? []).slice(0, level.length - 1), title], lines: [] });
    else current?.lines.push(line);
  }
  const made = sections.map(({ headings, lines }) => ({ page, heading: headings.join(" > "), text: lines.join("\n").trim() }));
  return made.filter((one) => one.text !== "");
}
