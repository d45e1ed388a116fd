import { systemClock } from "./clock.ts";
import { consoleLog, type Log } from "./log.ts";
import { createPoints, withPoints } from "./points.ts";
import { createReports, type Reports, type Shares } from "./reports.ts";

/** Characters of the version id in log lines and points: unique among the versions of a year. */
const VERSION_LENGTH = 8;

/** The bindings by which a Worker reports what it does; both are optional. */
export interface ReportingBindings {
  /** The version of the running Worker. */
  readonly VERSION?: WorkerVersionMetadata;
  /** Analytics Engine. */
  readonly WORK?: AnalyticsEngineDataset;
}

/** What an isolate reports with: its log, and the reports of its requests. Both say which version it is. */
export interface Reporting {
  /** The start of the id of the Worker's version; empty if it is unknown. */
  readonly version: string;
  readonly isolateLog: Log;
  readonly reports: Reports;
}

/** @param logged the shares of successes that get a log line */
export function createReporting(bindings: ReportingBindings, logged: Shares): Reporting {
  const version = bindings.VERSION?.id.slice(0, VERSION_LENGTH) ?? "";
  const write = createPoints(bindings.WORK ?? null, version);
  const isolateLog = withPoints(consoleLog(systemClock, version === "" ? {} : { version }), write);
  return { version, isolateLog, reports: createReports(isolateLog, write, logged, Math.random) };
}
