import * as z from "zod";
import type { Region } from "../../../src/core/regions.ts";
import { UserFault } from "../../local/processes.ts";
import { namesOf } from "./config.ts";
import { type DeploymentRecord, writeRecord } from "./record.ts";
import { complaintOf, jsonIn, runWrangler, wrangler } from "./wrangler.ts";

const databasesSchema = z.array(z.object({ uuid: z.string(), name: z.string() }));
const namespacesSchema = z.array(z.object({ id: z.string(), title: z.string() }));

/** One resource of a deployment at the platform. */
export interface Resource {
  readonly kind: "D1 database" | "KV namespace" | "R2 bucket" | "queue";
  readonly name: string;
  /** The binding whose id is recorded; null for a resource that is found by name. */
  readonly binding: string | null;
  /** Its region; null for a global resource, and for a region that is not chosen yet. */
  readonly region: Region | null;
}

/** All resources of a deployment, in creation order. */
export function resourcesOf(record: Pick<DeploymentRecord, "name" | "region" | "further_cells">): Resource[] {
  const { databases, namespaces, buckets, queues } = namesOf(record);
  return [
    ...databases.map((one) => ({ kind: "D1 database" as const, ...one })),
    ...namespaces.map((one) => ({ kind: "KV namespace" as const, ...one, region: null })),
    ...buckets.map((bucket) => ({ kind: "R2 bucket" as const, name: bucket, binding: null, region: record.region })),
    ...queues.map((queue) => ({ kind: "queue" as const, name: queue, binding: null, region: null })),
  ];
}

/**
 * Creates missing resources, and records the ids. An existing resource with the same name is adopted: an unfinished run
 * created it. Returns the record with all ids.
 */
export async function makeResources(record: DeploymentRecord, tell: (line: string) => void): Promise<DeploymentRecord> {
  const env = envOf(record);
  const wanted = resourcesOf(record);
  const before = await find(wanted, env);
  const noted = note(record, wanted, before);
  for (const resource of wanted) {
    const isOld = before.has(resource.name);
    if (!isOld) await create(resource, env);
    tell(`${isOld ? "found" : "made "} the ${resource.kind} ${resource.name}`);
  }
  // The ids of new resources are only in the platform's list.
  const unknown = wanted.filter(({ name, binding }) => binding !== null && !before.has(name));
  const after = note(noted, unknown, await find(unknown, env));
  for (const { binding, kind, name } of wanted) {
    if (binding !== null && after.resources[binding] === undefined) {
      throw new UserFault(`The ${kind} ${name} was made and is not listed yet. Run the same command again.`);
    }
  }
  return after;
}

/** The record with the found ids. @throws UserFault if an id has changed */
function note(record: DeploymentRecord, wanted: readonly Resource[], found: ReadonlyMap<string, string>): DeploymentRecord {
  const resources = { ...record.resources };
  for (const { kind, name, binding } of wanted) {
    const id = found.get(name);
    if (binding === null || id === undefined) continue;
    const known = resources[binding];
    if (known !== undefined && known !== id) {
      throw new UserFault(
        `The ${kind} ${name} has the id ${id}, and the record says ${known}: it was replaced. Correct the record if this is meant.`,
      );
    }
    resources[binding] = id;
  }
  const noted = { ...record, resources };
  writeRecord(noted);
  return noted;
}

/** The environment variables with which wrangler uses the deployment's account. */
export function envOf({ account_id }: Pick<DeploymentRecord, "account_id">): NodeJS.ProcessEnv {
  return account_id === null ? {} : { CLOUDFLARE_ACCOUNT_ID: account_id };
}

/** The existing resources with their ids, or names if they have no id. */
async function find(wanted: readonly Resource[], env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    [...Map.groupBy(wanted, ({ kind }) => kind)].map(([kind, all]) =>
      LOOK[kind](
        all.map(({ name }) => name),
        env,
      ),
    ),
  );
  return new Map(found.flat());
}

type Look = (names: readonly string[], env: NodeJS.ProcessEnv) => Promise<readonly (readonly [string, string])[]>;

const LOOK: Readonly<Record<Resource["kind"], Look>> = {
  async "D1 database"(_names, env) {
    const said = await wrangler("Listing databases", ["d1", "list", "--json"], env);
    return databasesSchema.parse(jsonIn("The list of databases", said)).map(({ name, uuid }) => [name, uuid]);
  },
  async "KV namespace"(_names, env) {
    const said = await wrangler("Listing namespaces", ["kv", "namespace", "list"], env);
    return namespacesSchema.parse(jsonIn("The list of namespaces", said)).map(({ title, id }) => [title, id]);
  },
  "R2 bucket": (names, env) => thoseThere("R2 bucket", names, (name) => ["r2", "bucket", "info", name, "--json"], env),
  queue: (names, env) => thoseThere("queue", names, (name) => ["queues", "info", name], env),
};

async function thoseThere(
  kind: string,
  names: readonly string[],
  ask: (name: string) => readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly (readonly [string, string])[]> {
  const found = await Promise.all(names.map(async (name) => ((await isThere(kind, name, ask(name), env)) ? [name] : [])));
  return found.flat().map((name) => [name, name]);
}

/** wrangler's message for a missing resource, as opposed to other errors. */
const MISSING = /does not exist|not found|could not find|code: 10006|code: 11000|no queue/i;

async function isThere(kind: string, name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const said = await runWrangler(args, env);
  if (said.code === 0) return true;
  const complaint = complaintOf(said);
  if (MISSING.test(complaint)) return false;
  throw new UserFault(`Looking for the ${kind} ${name} failed: ${complaint}`);
}

async function create({ kind, name, region }: Resource, env: NodeJS.ProcessEnv): Promise<void> {
  const place = region === null ? [] : ["--location", region];
  const args = {
    "D1 database": ["d1", "create", name, ...place],
    "KV namespace": ["kv", "namespace", "create", name],
    "R2 bucket": ["r2", "bucket", "create", name, ...place],
    queue: ["queues", "create", name],
  }[kind];
  await wrangler(`Making the ${kind} ${name}`, args, env);
}
