import type { DatabaseName } from "../core/cell-code.ts";
import { DIRECTORY } from "../core/cell-code.ts";
import { isoTime, MINUTE } from "../core/clock.ts";
import { environments } from "../core/environment.ts";
import type { Database } from "../db/client.ts";
import { type DatabaseKind, isMigrated } from "../db/migrations.ts";
import { checkDatabase, stateOf } from "./databases.ts";
import { type Finding, failed, findingsOf, ok, warning } from "./finding.ts";
import { lastCronRun } from "./heartbeats.ts";
import { checkQueue, checkShortLinkCache, checkSnapshots } from "./stores.ts";
import { checkBank, checkProcessor, type UpstreamDeps } from "./upstreams.ts";
import { checkOwnWork, checkPeoplesWork, type WaitingDeps } from "./waiting.ts";

export interface HealthDeps extends WaitingDeps, UpstreamDeps {
  readonly shortLinkCache: KVNamespace;
  readonly snapshotBucket: R2Bucket;
  readonly queues: Readonly<Record<string, Queue>>;
}

/** The cron runs every minute. */
const CRON_LATE = 3 * MINUTE;

/**
 * The finding for the settings. They are valid while the Worker serves: otherwise each request is refused, and the log
 * names the setting.
 */
const SETTINGS = {
  deployed: "all settings and secrets are valid, and no secret is guessable",
  local: "local values, which a deployed Worker refuses",
} as const;

const DATABASE_CURE = "Check the platform's status page, and see docs/bad-days.md.";

/** All checks. They change nothing. Calls the processor and the bank. */
export async function checkHealth(deps: HealthDeps): Promise<Finding[]> {
  const databases = deps.databaseNames.map((databaseName) => {
    const name = nameOf(databaseName);
    return findingsOf(name, DATABASE_CURE, () => checkDatabase(name, kindOf(databaseName), databaseOf(deps, databaseName), deps.clock));
  });
  const queues = Object.entries(deps.queues).map(([name, queue]) =>
    findingsOf(`queue ${name}`, "Check the platform's status page.", () => checkQueue(name, queue, deps.clock)),
  );
  const processors = environments.map((environment) =>
    findingsOf(`processor ${environment}`, "Look at the log.", () => checkProcessor(deps, environment)),
  );
  const found = await Promise.all([
    ...databases,
    findingsOf("short links' cache", "Short links are slower. New ones are stored in D1.", () => checkShortLinkCache(deps.shortLinkCache)),
    findingsOf("snapshots", "No payment is recorded until R2 answers; none is lost.", () => checkSnapshots(deps.snapshotBucket)),
    ...queues,
    findingsOf("cron", DATABASE_CURE, () => checkCron(deps)),
    ...processors,
    findingsOf("bank", "Look at the log.", () => checkBank(deps)),
    findingsOf("own work", DATABASE_CURE, () => checkOwnWork(deps)),
    findingsOf("people's work", DATABASE_CURE, () => checkPeoplesWork(deps)),
  ]);
  return [ok("settings", SETTINGS[deps.settings.local ? "local" : "deployed"]), dashboardFinding(deps.settings), ...found.flat()];
}

function dashboardFinding({ dashboardOrigin }: HealthDeps["settings"]): Finding {
  return dashboardOrigin === null
    ? warning("dashboard", "there is none: no person and no operator can sign in", "Deploy with --dashboard-host, if there is to be one.")
    : ok("dashboard", `people sign in at ${dashboardOrigin}`);
}

async function checkCron({ directory, clock }: HealthDeps): Promise<readonly Finding[]> {
  const [last] = await lastCronRun(directory);
  if (last === undefined)
    return [warning("cron", "it has never run", "Wait a minute after the first deployment, then check its cron triggers.")];
  if (clock.now() - last.at > CRON_LATE)
    return [failed("cron", `it last ran at ${isoTime(last.at)}`, "Check the Worker's cron triggers and its log.")];
  return [ok("cron", `it last ran at ${isoTime(last.at)}`)];
}

/**
 * Whether the service works, as the public health check reports it: its databases answer and are migrated, and the cron
 * runs. In local development the cron may not run.
 */
export async function isHealthy(
  deps: Pick<HealthDeps, "databaseNames" | "inDatabase" | "directory" | "clock" | "settings">,
): Promise<boolean> {
  const [[cron], ...states] = await Promise.all([
    lastCronRun(deps.directory),
    ...deps.databaseNames.map(async (databaseName) =>
      isMigrated(kindOf(databaseName), (await stateOf(databaseOf(deps, databaseName))).last),
    ),
  ]);
  const isCronLate = cron !== undefined && deps.clock.now() - cron.at > CRON_LATE;
  return states.every(Boolean) && (deps.settings.local || !isCronLate);
}

function databaseOf({ inDatabase }: Pick<HealthDeps, "inDatabase">, databaseName: DatabaseName): Database {
  return inDatabase(databaseName).db;
}

function kindOf(databaseName: DatabaseName): DatabaseKind {
  return databaseName === DIRECTORY ? "directory" : "cell";
}

function nameOf(databaseName: DatabaseName): string {
  return databaseName === DIRECTORY ? "directory" : `cell ${databaseName}`;
}
