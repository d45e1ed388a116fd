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
  // Money may have come while the Workers still served. From here on none comes any more.
  await refuseSold(record, standing, there);
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

/** Where real money is, or is on its way into the books. A database that has no such table has none of it. */
const LIVE = [
  "movements WHERE environment = 'live'",
  "bank_movements WHERE environment = 'live'",
  "bank_payments WHERE environment = 'live' AND paid_at IS NOT NULL",
  "refreshes WHERE environment = 'live'",
];

/** @throws UserFault if a database has something of the live environment's money */
async function refuseSold(record: DeploymentRecord, standing: readonly Resource[], there: ReadonlyMap<string, string>): Promise<void> {
  for (const { kind, name } of standing) {
    if (kind !== "D1 database") continue;
    for (const rows of LIVE) {
      const [row] = (await askDatabase(record, { name, id: there.get(name) ?? "" }, `SELECT count(*) AS count FROM ${rows}`)) ?? [];
      const count = Number(row?.count ?? 0);
      if (count > 0)
        throw new UserFault(
          `${name} has real money: ${count} of ${rows.split(" ", 1)[0]}. This command takes down test accounts alone: such a deployment is taken down by hand, after its books were exported. No data was deleted.`,
        );
    }
  }
}
