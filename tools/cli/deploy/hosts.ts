import { lookup } from "node:dns/promises";
import * as z from "zod";
import { UserFault } from "../../local/processes.ts";
import { askApi } from "./account.ts";
import { type DeploymentRecord, hostsOf, workerAt } from "./record.ts";

const domainsSchema = z.object({ result: z.array(z.object({ hostname: z.string(), service: z.string() })) });

/**
 * Refuses hosts that already lead elsewhere, among those that are new for the deployment: wrangler would replace their
 * routes without asking.
 * @throws UserFault
 */
export async function refuseTakenHosts(record: DeploymentRecord, before: DeploymentRecord): Promise<void> {
  // A dashboard's host that was set by hand, as a route, is the deployment's already.
  const known = [...hostsOf(before), (before.vars.DASHBOARD_ORIGIN ?? "").replace(/^https:\/\//, "")];
  const hosts = hostsOf(record).filter((host) => !known.includes(host));
  if (hosts.length === 0) return;
  const answer = await askApi(`/accounts/${record.account_id}/workers/domains`);
  const domains = domainsSchema.safeParse(answer).data?.result ?? [];
  for (const host of hosts) {
    const service = domains.find(({ hostname }) => hostname === host)?.service;
    if (service === workerAt(record, host)) continue;
    const leadsTo = service === undefined ? await addressOf(host) : `the Worker ${service}`;
    if (leadsTo === null) continue;
    throw new UserFault(
      `${host} leads to ${leadsTo} already, and would lead to this Worker instead. Choose another host, or give --replace-hosts if you mean it.`,
    );
  }
}

/** The IP address of a name; null if it has none. */
async function addressOf(host: string): Promise<string | null> {
  try {
    return (await lookup(host)).address;
  } catch {
    return null;
  }
}
