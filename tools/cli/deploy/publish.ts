import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { root, UserFault } from "../../local/processes.ts";
import { PUBLISHED_SETTING } from "../../release/published.ts";
import type { Worker } from "./config.ts";
import { pendingMigrations } from "./pending-migrations.ts";
import type { Secrets } from "./private-settings.ts";
import type { DeploymentRecord } from "./record.ts";
import { envOf, resourcesOf } from "./resources.ts";
import { complaintOf, jsonIn, runWrangler, wrangler } from "./wrangler.ts";

const secretsSchema = z.array(z.object({ name: z.string() }));

/** The names of a deployment's secrets at the platform; none before the first deployment. @throws UserFault */
export async function secretsAtPlatform(record: DeploymentRecord): Promise<readonly string[]> {
  const said = await runWrangler(["secret", "list", "--name", record.name, "--format", "json"], envOf(record));
  if (said.code === 0) return secretsSchema.parse(jsonIn("The list of secrets", said.out)).map(({ name }) => name);
  const complaint = complaintOf(said);
  if (/does not exist|not found|code: 10007/i.test(complaint)) return [];
  throw new UserFault(`Listing the secrets failed: ${complaint}`);
}

/** Migrates the deployment's databases, in binding order. Applied migrations are skipped. */
export async function migrateAll(record: DeploymentRecord, config: string, tell: (line: string) => void): Promise<void> {
  for (const { kind, name, binding } of resourcesOf(record)) {
    if (kind !== "D1 database" || binding === null) continue;
    const said = await runWrangler(["d1", "migrations", "apply", binding, "--remote", "--config", config], envOf(record));
    if (said.code !== 0) {
      const file = await failedFile(record, { name, binding, id: record.resources[binding] ?? null });
      throw new UserFault(`Migrating ${name} failed: ${file}${complaintOf(said)}`);
    }
    tell(`migrated ${name}`);
  }
}

/** The first migration that a database has not applied, which is the one that failed; empty if the database does not answer. */
async function failedFile(record: DeploymentRecord, database: Parameters<typeof pendingMigrations>[1]): Promise<string> {
  try {
    const { folder, missing } = await pendingMigrations(record, database);
    return missing[0] === undefined ? "" : `${folder}/${missing[0]}: `;
  } catch (thrown) {
    if (!(thrown instanceof UserFault)) throw thrown;
    return "";
  }
}

interface Publishing {
  readonly record: DeploymentRecord;
  readonly worker: Worker;
  readonly secrets: Secrets;
  /** The folder of the packages that were published before. */
  readonly packages: string;
  /** The percentage of requests for the new version; null for all. */
  readonly share: number | null;
}

/** Deploys a Worker with its new secrets. Returns the version id; null if wrangler did not show it. */
export async function publish({ record, worker: { config }, secrets, packages, share }: Publishing): Promise<string | null> {
  const env = { ...envOf(record), [PUBLISHED_SETTING]: packages };
  const own = mkdtempSync(join(tmpdir(), "partner-payments-deploy-"));
  const file = join(own, "secrets.json");
  try {
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    const withSecrets = Object.keys(secrets).length === 0 ? [] : ["--secrets-file", file];
    const commit = await commitOf();
    const named = commit === "" ? [] : ["--tag", commit];
    if (share === null) {
      return versionIn(await wrangler("Deploying", ["deploy", "--config", config, ...named, ...withSecrets], env));
    }
    const upload = ["versions", "upload", "--config", config, ...named, ...withSecrets];
    const version = versionIn(await wrangler("Uploading the version", upload, env));
    if (version === null) throw new UserFault("wrangler did not say the id of the version that it uploaded.");
    const previous = await versionInUse(record, config);
    const shares = [`${version}@${share}%`, `${previous}@${100 - share}%`];
    await wrangler("Sharing the requests", ["versions", "deploy", ...shares, "--yes", "--config", config], envOf(record));
    return version;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function versionIn(said: string): string | null {
  return /Version ID:\s*([0-9a-f-]{36})/.exec(said)?.[1] ?? null;
}

/** The deployed commit, for people who look at versions; empty outside a repository. */
function commitOf(): Promise<string> {
  return new Promise((resolve) => {
    execFile("git", ["rev-parse", "--short", "HEAD"], { cwd: root }, (failure, out) => resolve(failure === null ? out.trim() : ""));
  });
}

const deploymentSchema = z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) });

/** The version with the most requests. @throws UserFault if there is none */
async function versionInUse(record: DeploymentRecord, config: string): Promise<string> {
  const said = await runWrangler(["deployments", "status", "--json", "--config", config], envOf(record));
  const found = said.code === 0 ? deploymentSchema.safeParse(jsonIn("The deployment", said.out)) : null;
  const most = found?.data?.versions.toSorted((one, other) => other.percentage - one.percentage)[0];
  if (most === undefined) throw new UserFault(`The version in use cannot be seen: ${complaintOf(said)}`);
  return most.version_id;
}
