import type { Log } from "./log.ts";

/**
 * One measurement for the platform's Analytics Engine. Its columns (docs/alerts.md): `index1` the partner; blobs the kind, its
 * name, the outcome, the code and the Worker's version; doubles by kind.
 */
interface Point {
  readonly kind: "request" | "queue message" | "cron run" | "error" | "found" | "waiting";
  readonly name: string;
  readonly partner?: string | null;
  readonly outcome?: string;
  readonly code?: string | null;
  readonly doubles: readonly number[];
}

export type WritePoint = (point: Point) => void;

/** Writes data points with the Worker's version. Does nothing without an Analytics Engine binding. */
export function createPoints(dataset: AnalyticsEngineDataset | null, version: string): WritePoint {
  return ({ kind, name, partner, outcome, code, doubles }) =>
    dataset?.writeDataPoint({ indexes: [partner ?? ""], blobs: [kind, name, outcome ?? "", code ?? "", version], doubles: [...doubles] });
}

/** The same log. Each error also becomes a data point, because alerts only query points. */
export function withPoints(log: Log, write: WritePoint): Log {
  return {
    info: (message, fields) => log.info(message, fields),
    error(message, fields) {
      const code = fields?.code ?? fields?.sweep ?? fields?.error_class;
      write({ kind: "error", name: message, outcome: "failed", code: code === undefined ? null : String(code), doubles: [1] });
      log.error(message, fields);
    },
    with: (fields) => withPoints(log.with(fields), write),
  };
}
