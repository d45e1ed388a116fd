import * as z from "zod";
import type { Region } from "../../../src/core/regions.ts";
import { UserFault } from "../../local/processes.ts";
import { askApiStatus, faultIn } from "./account.ts";
import { namesOf } from "./config.ts";
import { type DeploymentRecord, writeRecord } from "./record.ts";
import { wrangler } from "./wrangler.ts";

const databasesSchema = z.object({ result: z.array(z.object({ uuid: z.string(), name: z.string() })) });
const namespacesSchema = z.object({ result: z.array(z.object({ id: z.string(), title: z.string() })) });
const queuesSchema = z.object({ result: z.array(z.object({ queue_id: z.string(), queue_name: z.string() })) });

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
  const before = await findResources(wanted, record);
  const noted = note(record, wanted, before);
  for (const resource of wanted) {
    const isOld = before.has(resource.name);
    if (!isOld) await create(resource, env);
    tell(`${isOld ? "found" : "made "} the ${resource.kind} ${resource.name}`);
  }
  // The ids of new resources are only in the platform's list.
  const unknown = wanted.filter(({ name, binding }) => binding !== null && !before.has(name));
  const after = note(noted, unknown, await findResources(unknown, record));
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

/** The existing resources with their ids; a bucket's is its name. @throws UserFault if the platform could not be asked */
export async function findResources(wanted: readonly Resource[], { account_id }: Account): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    wanted.map(async ({ kind, name }) => {
      const id = await LOOK[kind](`/accounts/${account_id}`, name);
      return id === null ? [] : [[name, id] as const];
    }),
  );
  return new Map(found.flat());
}

type Account = Pick<DeploymentRecord, "account_id">;

/** The id of a resource with a name; null if there is none. */
type Look = (account: string, name: string) => Promise<string | null>;

const LOOK: Readonly<Record<Resource["kind"], Look>> = {
  async "D1 database"(account, name) {
    const { result } = databasesSchema.parse(
      await read(`the D1 database ${name}`, `${account}/d1/database?name=${encodeURIComponent(name)}`),
    );
    return result.find((one) => one.name === name)?.uuid ?? null;
  },
  async "KV namespace"(account, name) {
    // The list has no filter by name, and an account at most 1,000 namespaces.
    for (let page = 1; ; page += 1) {
      const path = `${account}/storage/kv/namespaces?per_page=100&page=${page}`;
      const { result } = namespacesSchema.parse(await read(`the KV namespace ${name}`, path));
      const found = result.find(({ title }) => title === name);
      if (found !== undefined || result.length < 100) return found?.id ?? null;
    }
  },
  async "R2 bucket"(account, name) {
    return (await read(`the R2 bucket ${name}`, `${account}/r2/buckets/${name}`, true)) === null ? null : name;
  },
  async queue(account, name) {
    const { result } = queuesSchema.parse(await read(`the queue ${name}`, `${account}/queues?name=${encodeURIComponent(name)}`));
    return result.find(({ queue_name }) => queue_name === name)?.queue_id ?? null;
  },
};

/** An answer of the platform; null for a 404, where that means that there is none. @throws UserFault */
async function read(what: string, path: string, mayLack = false): Promise<unknown> {
  const answer = await askApiStatus(path);
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  if (answer.status === 404 && mayLack) return null;
  throw new UserFault(`Looking for ${what} failed: ${faultIn(answer)}. Run the same command again.`);
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
