import type * as z from "zod";
import type { figuresAnswer } from "../calls/figures.ts";

type Figures = z.infer<typeof figuresAnswer>;
type Day = Figures["days"][number];

/** A part of a bar, in the order from the ground. */
interface Part {
  readonly name: string;
  /** The class of its colour. */
  readonly kind: "usual" | "good" | "dim" | "bad";
  readonly of: (day: Day) => number;
}

const CHARTS: readonly { readonly title: string; readonly parts: readonly Part[] }[] = [
  { title: "Payments", parts: [{ name: "paid", kind: "usual", of: (day) => day.payments }] },
  { title: "Failed payments", parts: [{ name: "failed", kind: "bad", of: (day) => day.failures }] },
  {
    title: "Refunds and disputes",
    parts: [
      { name: "refunded", kind: "usual", of: (day) => day.refunds },
      { name: "disputed", kind: "bad", of: (day) => day.disputes },
    ],
  },
  {
    title: "Events for partners",
    parts: [
      { name: "delivered", kind: "good", of: (day) => day.delivered },
      { name: "waiting", kind: "dim", of: (day) => day.waiting },
      { name: "given up", kind: "bad", of: (day) => day.given_up },
    ],
  },
];

/** What happened by day, as pictures. The numbers stand in the table of `figures`. */
export function Charts({ figures }: { readonly figures: Figures }) {
  const { days, counted_at, oldest_waiting } = figures;
  return (
    <>
      <div class="charts">
        {CHARTS.map(({ title, parts }) => (
          <Chart title={title} parts={parts} days={days} />
        ))}
      </div>
      <p class="hint">
        {counted_at === null ? "Not counted yet: the cron counts every hour." : `Counted ${minute(counted_at)}, every hour.`}
        {oldest_waiting === null
          ? " No event of these days waits."
          : ` The oldest event of these days that waits was recorded ${minute(oldest_waiting)}.`}
      </p>
    </>
  );
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

const WIDTH = 300;
const HEIGHT = 80;

function Chart({ title, parts, days }: { readonly title: string; readonly parts: readonly Part[]; readonly days: readonly Day[] }) {
  const sumOf = (day: Day) => parts.reduce((sum, part) => sum + part.of(day), 0);
  const most = Math.max(1, ...days.map(sumOf));
  const step = WIDTH / Math.max(1, days.length);
  const totals = parts.map((part) => `${days.reduce((sum, day) => sum + part.of(day), 0)} ${part.name}`).join(", ");
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong> <span class="hint">{totals}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title} by day from ${first} to ${last}: ${totals}; most on one day ${most}`}
      >
        {days.flatMap((day, index) => bars(day, parts, most, index * step, step * 0.8))}
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      </svg>
      <p class="scale hint">
        <span>{first}</span>
        <span>most {most}</span>
        <span>{last}</span>
      </p>
    </figure>
  );
}

function bars(day: Day, parts: readonly Part[], most: number, x: number, width: number) {
  let ground = HEIGHT;
  return parts.flatMap((part) => {
    const height = (part.of(day) / most) * HEIGHT;
    if (height === 0) return [];
    ground -= height;
    return [<rect class={part.kind} x={x.toFixed(1)} y={ground.toFixed(1)} width={width.toFixed(1)} height={height.toFixed(1)} />];
  });
}
