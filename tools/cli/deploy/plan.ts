import * as z from "zod";
import { askApi, askApiStatus, faultIn } from "./account.ts";
import { configOf, linksConfigOf, readTemplate } from "./config.ts";
import { pendingMigrations } from "./pending-migrations.ts";
import { secretsAtPlatform } from "./publish.ts";
import { type DeploymentRecord, hostsOf, linksWorkerOf, workerAt } from "./record.ts";
import { findResources, type Resource, resourcesOf } from "./resources.ts";

/** Lines about what a deployment would change; `hand`: what is there is not what the last deployment left. */
export interface Plan {
  readonly changes: readonly string[];
  readonly hand: readonly string[];
}

const settingsSchema = z.object({
  result: z.object({ bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })) }),
});
const schedulesSchema = z.object({ result: z.object({ schedules: z.array(z.object({ cron: z.string() })) }) });
const domainsSchema = z.object({ result: z.array(z.object({ hostname: z.string(), service: z.string() })) });
const varsSchema = z.object({ vars: z.record(z.string(), z.string()) });
const triggersSchema = z.object({ triggers: z.object({ crons: z.array(z.string()) }) });

/**
 * Compares the account with the deployment that this checkout would make. Reads alone.
 * @throws UserFault if the account cannot be asked
 */
export async function planOf(record: DeploymentRecord): Promise<Plan> {
  const wanted = resourcesOf(record);
  const there = await findResources(wanted, record);
  const [migrations, secrets, hosts, api, links] = await Promise.all([
    planMigrations(record, wanted, there),
    planSecrets(record),
    planHosts(record),
    planWorker(record, record.name, configOf(record)),
    planWorker(record, linksWorkerOf(record), linksConfigOf(record)),
  ]);
  const resources = wanted.filter(({ name }) => !there.has(name)).map(({ kind, name }) => `makes the ${kind} ${name}`);
  const parts = [migrations, secrets, hosts, links, api];
  return { changes: [...resources, ...parts.flatMap(({ changes }) => changes)], hand: parts.flatMap(({ hand }) => hand) };
}

/** The migrations that each database lacks. */
async function planMigrations(record: DeploymentRecord, wanted: readonly Resource[], there: ReadonlyMap<string, string>): Promise<Plan> {
  const [changes, hand]: [string[], string[]] = [[], []];
  for (const { kind, name, binding } of wanted) {
    if (kind !== "D1 database" || binding === null) continue;
    const { folder, missing, unknown } = await pendingMigrations(record, { name, binding, id: there.get(name) ?? null });
    if (missing.length > 0) changes.push(`applies to ${name}, of ${folder}: ${missing.join(", ")}`);
    if (unknown.length > 0) hand.push(`${name} has migrations that this checkout has not: ${unknown.join(", ")}. It is of a newer build`);
  }
  return { changes, hand };
}

async function planSecrets(record: DeploymentRecord): Promise<Plan> {
  const known = await secretsAtPlatform(record);
  const missing = readTemplate().secrets.required.filter((name) => !known.includes(name));
  return { changes: missing.length === 0 ? [] : [`sets the secrets ${missing.join(", ")}`], hand: [] };
}

/** Hosts that lead elsewhere, and hosts that were added to the Workers. */
async function planHosts(record: DeploymentRecord): Promise<Plan> {
  const domains = domainsSchema.safeParse(await askApi(`/accounts/${record.account_id}/workers/domains`)).data?.result;
  if (domains === undefined) return { changes: [], hand: ["the hosts of the account cannot be seen with this login"] };
  const changes = hostsOf(record).flatMap((host) => {
    const service = domains.find(({ hostname }) => hostname === host)?.service;
    const worker = workerAt(record, host);
    if (service === worker) return [];
    return [`leads ${host} to the Worker ${worker}${service === undefined ? "" : `, which now leads to ${service}`}`];
  });
  const own = [record.name, linksWorkerOf(record)];
  const added = domains.filter(({ hostname, service }) => own.includes(service) && !hostsOf(record).includes(hostname));
  return {
    changes,
    hand: added.map(({ hostname, service }) => `${hostname} leads to ${service}, and the record has no such host: it is taken off`),
  };
}

/** Settings and crons of a deployed Worker that are not those of its configuration. */
async function planWorker(record: DeploymentRecord, worker: string, config: Record<string, unknown>): Promise<Plan> {
  const script = `/accounts/${record.account_id}/workers/scripts/${worker}`;
  const answer = await askApiStatus(`${script}/settings`);
  if (answer.status === 404) return { changes: [`deploys the Worker ${worker} for the first time`], hand: [] };
  const settings = settingsSchema.safeParse(answer.body).data;
  if (settings === undefined)
    return { changes: [`deploys the Worker ${worker}`], hand: [`the settings of ${worker} cannot be seen: ${faultIn(answer)}`] };
  const there = new Map(settings.result.bindings.flatMap(({ type, name, text = "" }) => (type === "plain_text" ? [[name, text]] : [])));
  const { vars } = varsSchema.parse(config);
  const differing = Object.entries(vars).flatMap(([name, value]) => {
    const now = there.get(name);
    if (now === undefined) return [`${worker} has no setting ${name}: it becomes ${value}`];
    return now === value ? [] : [`${name} of ${worker} is ${now} there, and becomes ${value}`];
  });
  const added = [...there.keys()].filter((name) => vars[name] === undefined);
  const crons = await planCrons(script, worker, config);
  const hand = [
    ...differing,
    ...added.map((name) => `${worker} has the setting ${name}, which the configuration has not: it is taken off`),
    ...crons,
  ];
  return { changes: [`deploys a new version of the Worker ${worker}`], hand };
}

async function planCrons(script: string, worker: string, config: Record<string, unknown>): Promise<string[]> {
  const wanted = triggersSchema.safeParse(config).data?.triggers.crons ?? [];
  const there = schedulesSchema.safeParse(await askApi(`${script}/schedules`)).data?.result.schedules.map(({ cron }) => cron);
  if (there === undefined || String(there.toSorted()) === String(wanted.toSorted())) return [];
  return [`${worker} runs at ${there.join(", ") || "no time"}, and will run at ${wanted.join(", ") || "no time"}`];
}
