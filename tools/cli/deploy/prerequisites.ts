import * as z from "zod";
import { UserFault } from "../../local/processes.ts";
import { askApiStatus } from "./account.ts";
import { type DeploymentRecord, hostsOf } from "./record.ts";

const errorsSchema = z.object({ errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]) });
const zonesSchema = z.object({ result: z.array(z.object({ name: z.string() })) });

/** A requirement on the account or the login, before anything is created. */
interface Prerequisite {
  readonly what: string;
  /** A read request that shows it. */
  readonly path: (account: string) => string;
  /** What to do if it is refused. */
  readonly cure: string;
  /** Error codes that mean that the product is not enabled. */
  readonly off?: { readonly codes: readonly number[]; readonly cure: string };
}

const inDashboard = "in the dashboard, https://dash.cloudflare.com";

const PREREQUISITES: readonly Prerequisite[] = [
  {
    what: "Workers",
    path: (account) => `/accounts/${account}/workers/scripts`,
    cure: "The login needs the permission Account, Workers Scripts, Edit.",
  },
  { what: "D1", path: (account) => `/accounts/${account}/d1/database`, cure: "The login needs the permission Account, D1, Edit." },
  {
    what: "Workers KV",
    path: (account) => `/accounts/${account}/storage/kv/namespaces`,
    cure: "The login needs the permission Account, Workers KV Storage, Edit.",
  },
  {
    what: "R2",
    path: (account) => `/accounts/${account}/r2/buckets`,
    cure: "The login needs the permission Account, Workers R2 Storage, Edit.",
    off: { codes: [10_042], cure: `R2 is not switched on: R2, Overview, Purchase R2 ${inDashboard}. It asks for a way to pay.` },
  },
  { what: "Queues", path: (account) => `/accounts/${account}/queues`, cure: "The login needs the permission Account, Queues, Edit." },
  {
    what: "Analytics Engine",
    path: (account) => `/accounts/${account}/analytics_engine/sql?query=${encodeURIComponent("SHOW TABLES")}`,
    cure: "The login needs the permission Account, Account Analytics, Read.",
    off: {
      codes: [10_089],
      cure: `Analytics Engine is not switched on: https://dash.cloudflare.com/?to=/:account/workers/analytics-engine, Enable.`,
    },
  },
];

/**
 * Asks the platform for everything that a deployment needs, without changes. Reports all missing items at once.
 * @throws UserFault
 */
export async function requirePrerequisites(record: DeploymentRecord, tell: (line: string) => void): Promise<void> {
  const account = record.account_id ?? "";
  const missing = (await Promise.all(PREREQUISITES.map((one) => faultOf(one, account)))).flatMap((fault) => fault ?? []);
  missing.push(...(await missingZones(record)));
  if (missing.length > 0) {
    throw new UserFault(`The account is not ready. Nothing was made.\n${missing.map((fault) => `- ${fault}`).join("\n")}`);
  }
  tell(`the login may use ${PREREQUISITES.map(({ what }) => what).join(", ")}, and the account has the zones of all hosts`);
}

async function faultOf({ what, path, cure, off }: Prerequisite, account: string): Promise<string | null> {
  const { status, body } = await askApiStatus(path(account));
  if (status >= 200 && status < 300) return null;
  const errors = errorsSchema.safeParse(body).data?.errors ?? [];
  if (off !== undefined && errors.some(({ code }) => off.codes.includes(code))) return off.cure;
  const said = errors.map(({ code, message }) => `${message} [${code}]`).join("; ");
  if (status === 401 || status === 403) return `${what}: ${said || `HTTP ${status}`}. ${cure}`;
  return `${what} could not be asked for (${said || `HTTP ${status}`}). Try again.`;
}

/** A host must be in a zone of the account: the platform creates its DNS name and certificate there. */
async function missingZones(record: DeploymentRecord): Promise<string[]> {
  const { status, body } = await askApiStatus(`/zones?account.id=${record.account_id}&per_page=50`);
  const zones = zonesSchema.safeParse(body).data?.result.map(({ name }) => name) ?? [];
  if (status === 403 || status === 401)
    return ["The login needs the permissions Zone, Zone, Read, Zone, DNS, Edit, and Zone, Workers Routes, Edit."];
  if (status !== 200 || zones.length >= 50) return [];
  return hostsOf(record)
    .filter((host) => !zones.some((zone) => host === zone || host.endsWith(`.${zone}`)))
    .map(
      (host) =>
        `${host} is in no zone of the account (it has ${zones.join(", ") || "none"}). Add the domain ${inDashboard}, or choose another host.`,
    );
}
