import { rmSync } from "node:fs";
import { UserFault } from "../../local/processes.ts";
import { askApiStatus, faultIn } from "./account.ts";
import { askDatabase } from "./ask-database.ts";
import { type DeploymentRecord, linksWorkerOf, pathOf, writeRecord } from "./record.ts";
import { envOf, findResources, type Resource, resourcesOf } from "./resources.ts";
import { complaintOf, runWrangler } from "./wrangler.ts";

/**
 * Takes a deployment down: its Workers first, then queues, the namespace, the bucket and the databases. A run that did not end is run
 * again. A deployment that has sold in live is refused: its ledger is needed for years.
 * @throws UserFault
 */
export async function destroy(record: DeploymentRecord, tell: (line: string) => void): Promise<void> {
  const env = envOf(record);
  const wanted = resourcesOf(record);
  const there = await findResources(wanted, record);
  const standing = wanted.filter(({ name }) => there.has(name));
  await refuseSold(record, standing, there);
  for (const worker of [record.name, linksWorkerOf(record)]) {
    const said = await runWrangler(["delete", worker, "--force"], env);
    if (said.code === 0) tell(`took down the Worker ${worker}`);
    else if (!GONE.test(complaintOf(said))) throw new UserFault(`Taking down the Worker ${worker} failed: ${complaintOf(said)}`);
  }
  const kept: string[] = [];
  for (const resource of standing.toReversed()) {
    const fault = await faultOfDeletion(record, resource.kind, there.get(resource.name) ?? "");
    if (fault === null) tell(`deleted the ${resource.kind} ${resource.name}`);
    else kept.push(`${resource.kind} ${resource.name}: ${fault}`);
  }
  if (kept.length > 0)
    throw new UserFault(
      `These are still there:\n- ${kept.join("\n- ")}\nA bucket must be empty: in the dashboard, R2, the bucket, Settings, empty it. Then run the same command again.`,
    );
  writeRecord({ ...record, resources: {} });
  for (const kind of ["wrangler.json", "wrangler.links.json"] as const) rmSync(pathOf(record.name, kind), { force: true });
}

const GONE = /does not exist|not found|could not find|code: 10007|code: 10090/i;

const PATHS: Readonly<Record<Resource["kind"], string>> = {
  "D1 database": "d1/database",
  "KV namespace": "storage/kv/namespaces",
  "R2 bucket": "r2/buckets",
  queue: "queues",
};

/** Deletes a resource. Null if it is gone. */
async function faultOfDeletion({ account_id }: DeploymentRecord, kind: Resource["kind"], id: string): Promise<string | null> {
  const answer = await askApiStatus(`/accounts/${account_id}/${PATHS[kind]}/${id}`, undefined, "DELETE");
  const isGone = (answer.status >= 200 && answer.status < 300) || answer.status === 404;
  return isGone ? null : faultIn(answer);
}

/** @throws UserFault if a cell has a movement of the live environment */
async function refuseSold(record: DeploymentRecord, standing: readonly Resource[], there: ReadonlyMap<string, string>): Promise<void> {
  for (const { kind, name, binding } of standing) {
    if (kind !== "D1 database" || binding === null || binding === "DIRECTORY") continue;
    const sql = "SELECT count(*) AS count FROM movements WHERE environment = 'live'";
    const [row] = (await askDatabase(record, { name, id: there.get(name) ?? "" }, sql)) ?? [];
    const count = Number(row?.count ?? 0);
    if (count > 0)
      throw new UserFault(
        `${name} has ${count} movements of real money. This command takes down test accounts alone: such a deployment is taken down by hand, after its books were exported. Nothing was changed.`,
      );
  }
}
