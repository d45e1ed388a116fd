import { type Capacity, capacityOf, type Trips } from "./capacity.ts";
import type { Compared } from "./compare-with-platform.ts";
import type { Distant } from "./distance.ts";

const WIDTH = 820;
const ROW = 26;
const NAMES = 375;
const BARS = 330;
/** The ratio at which a bar has its full length. */
const MOST = 2;

/** Readable on white and on black; the reader's setting decides. */
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

/** Payments per second by number of cells as bars; the line is the model. */
export function pictureOfCapacity(results: readonly Pick<Capacity, "cells" | "perSecond" | "predicted">[]): string {
  const most = Math.max(...results.flatMap(({ perSecond, predicted }) => [perSecond, predicted]));
  const at = (value: number) => (NAMES + (value / most) * BARS).toFixed(1);
  const rows = results.map(({ cells, perSecond, predicted }, index) => {
    const y = index * ROW;
    return [
      `<text x="${NAMES - 8}" y="${y + 17}" text-anchor="end">${cells} ${cells === 1 ? "cell" : "cells"}</text>`,
      `<rect class="bar" x="${NAMES}" y="${y + 5}" width="${(Number(at(perSecond)) - NAMES).toFixed(1)}" height="16" rx="2"/>`,
      `<line class="goal" x1="${at(predicted)}" x2="${at(predicted)}" y1="${y + 2}" y2="${y + 24}"/>`,
      `<text x="${NAMES + BARS + 8}" y="${y + 17}">${perSecond} (${predicted})</text>`,
    ].join("");
  });
  return picture("Payments a second that were measured; the line is what the model says", results.length * ROW, rows);
}

/** The round-trip time of D1 in milliseconds, and the maximum number of cells of a deployment. */
const D1_TRIP = 1;
const MOST_CELLS = 40;
const HEIGHT = 240;
const STEP = 250;

/** Payments per second by number of cells, by the model for D1. */
export function pictureOfModel(trips: Trips): string {
  const numbers = Array.from({ length: MOST_CELLS }, (_, index) => index + 1);
  const rates = numbers.map((cells) => capacityOf(cells, trips, D1_TRIP));
  const steps = Math.ceil(Math.max(...rates) / STEP);
  const x = (cells: number) => (60 + (cells / MOST_CELLS) * (WIDTH - 80)).toFixed(1);
  const y = (rate: number) => (HEIGHT - (rate / (steps * STEP)) * (HEIGHT - 20)).toFixed(1);
  const levels = Array.from({ length: steps + 1 }, (_, step) => step * STEP);
  const rows = [
    ...levels.map((rate) => `<text x="50" y="${Number(y(rate)) + 5}" text-anchor="end">${rate}</text>`),
    ...levels.map((rate) => `<line class="goal" x1="60" x2="${WIDTH - 20}" y1="${y(rate)}" y2="${y(rate)}" opacity="0.2"/>`),
    ...[1, 10, 20, 30, 40].map((cells) => `<text x="${x(cells)}" y="${HEIGHT + 20}" text-anchor="middle">${cells}</text>`),
    ...numbers.map((cells, index) => `<circle class="bar" cx="${x(cells)}" cy="${y(rates[index] ?? 0)}" r="4"/>`),
  ];
  return picture(`Payments a second by the model, with so many cells and ${D1_TRIP} ms for a round trip to D1`, HEIGHT + 24, rows);
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
