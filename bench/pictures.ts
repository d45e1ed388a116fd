import type { Compared } from "./compare.ts";
import type { Distant } from "./distance.ts";

const WIDTH = 820;
const ROW = 26;
const NAMES = 375;
const BARS = 330;
/** The bars are as long as their value up to this ratio. */
const MOST = 2;

/** Readable on white and on black; the reader's own setting decides. */
const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2328}.bar{fill:#0969da}.missed{fill:#bc4c00}.goal{stroke:#1f2328;stroke-width:2}
@media (prefers-color-scheme: dark){text{fill:#e6edf3}.bar{fill:#4493f8}.missed{fill:#db6d28}.goal{stroke:#e6edf3}}`;

/** The ratios of the product to its references as bars, each with its goal as a line. */
export function pictureOfRatios(results: readonly Pick<Compared, "name" | "by" | "goal" | "ratio">[]): string {
  const rows = results.flatMap(({ name, by, goal, ratio }, index) => {
    if (ratio === null) return [];
    const [y, isReached] = [index * ROW, by === "cpu" ? ratio <= goal : ratio >= goal];
    const at = (value: number) => NAMES + (Math.min(value, MOST) / MOST) * BARS;
    const sign = by === "cpu" ? "≤" : "≥";
    return [
      `<text x="${NAMES - 8}" y="${y + 17}" text-anchor="end">${escaped(name)}</text>`,
      `<rect class="${isReached ? "bar" : "missed"}" x="${NAMES}" y="${y + 5}" width="${(at(ratio) - NAMES).toFixed(1)}" height="16" rx="2"/>`,
      `<line class="goal" x1="${at(goal).toFixed(1)}" x2="${at(goal).toFixed(1)}" y1="${y + 2}" y2="${y + 24}"/>`,
      `<text x="${NAMES + BARS + 8}" y="${y + 17}">${ratio} (${sign} ${goal})</text>`,
    ];
  });
  return picture("What the product takes, as a multiple of its reference; the line is the goal", results.length * ROW, rows);
}

/** How long a partner waits for each operation: a bar for each distance, one below the other. */
export function pictureOfDistance(results: readonly Distant[], distances: readonly number[]): string {
  const longest = Math.max(...results.flatMap(({ times }) => times));
  const height = 9 * (distances.length + 1) + 10;
  const rows = results.flatMap(({ name, times }, index) => [
    `<text x="${NAMES - 8}" y="${index * height + height / 2 + 4}" text-anchor="end">${escaped(name)}</text>`,
    ...times.flatMap((time, which) => {
      const [y, width] = [index * height + 5 + which * 9, (time / longest) * BARS];
      const label = which === times.length - 1 ? `<text x="${NAMES + width + 6}" y="${y + 9}">${Math.round(time)} ms</text>` : "";
      return [`<rect class="bar" x="${NAMES}" y="${y}" width="${width.toFixed(1)}" height="7" opacity="${0.4 + 0.2 * which}"/>${label}`];
    }),
  ]);
  return picture(`Half of the answers came within: near, then ${distances.join(", ")} ms away`, results.length * height, rows);
}

function picture(title: string, height: number, rows: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height + 34}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}</style>
<text x="0" y="18">${escaped(title)}</text>
<g transform="translate(0 30)">
${rows.join("\n")}
</g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
