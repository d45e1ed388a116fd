import { existsSync } from "node:fs";
import { UserFault } from "../../local/processes.ts";
import { faultOfDashboard } from "../remote/dashboard.ts";
import { ask, pinned, RemoteFault } from "../remote/edge.ts";
import { faultOfShortLinks } from "../remote/short-links.ts";
import { smoke } from "../smoke.ts";
import type { Worker } from "./config.ts";
import { type DeploymentRecord, jsonOf, pathOf } from "./record.ts";

/** How often a host is looked at while it does not answer, in milliseconds. */
const BETWEEN = 3_000;

/**
 * Whether the deployed service reports healthy, and sells in its test environment, answered by the new version. Without
 * the operators' token, the sale is not checked.
 */
export async function check(
  address: { readonly api: string; readonly dashboard: string | null },
  record: DeploymentRecord,
  {
    givenToken,
    deployedToken,
    version,
    isShared,
    seconds,
  }: {
    readonly givenToken: string | undefined;
    readonly deployedToken: string | undefined;
    readonly version: string | null;
    readonly isShared: boolean;
    readonly seconds: number;
  },
  tell: (line: string) => void,
): Promise<boolean> {
  const url = new URL(address.api).origin;
  if (!(await isWellWithin(url, seconds))) {
    tell(`${url} does not answer that it is well. A new host may need some minutes: npm run doctor -- --url ${url}`);
    return false;
  }
  tell(`${url} answers that it is well`);
  const isServed = address.dashboard === null || (await isDashboardWithin(new URL(address.dashboard).origin, seconds, tell));
  // A token that this deployment was given may have replaced what stands in the environment since before.
  const token = givenToken ?? process.env.OPS_TOKEN ?? deployedToken ?? madeToken(record.name);
  if (token === null) {
    tell(`NOT CHECKED: set OPS_TOKEN to the operators' token, then run: npm run smoke -- --url ${url}`);
    return false;
  }
  try {
    await smoke({ url, token, version: version === null ? null : { worker: record.name, id: version } });
    const isNew = version === null || (await hasAnswered(url, record.name, version, tell));
    // A version with all requests is reached everywhere within a minute; one of several may not have been reached.
    return isServed && (isNew || !isShared);
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    tell(`the smoke check stopped: ${thrown.message}`);
    tell(`look at everything: npm run doctor -- --url ${url}`);
    return false;
  }
}

/**
 * Looks whether the Worker of the short links answers, before the other one is deployed. A new deployment goes on all the
 * same: its host may need some minutes, and the last check follows a link.
 * @throws UserFault if it does not answer
 */
export async function checkLinks(
  address: string,
  {
    worker,
    version,
    isNew,
    seconds,
  }: { readonly worker: Worker; readonly version: string | null; readonly isNew: boolean; readonly seconds: number },
  tell: (line: string) => void,
): Promise<void> {
  const origin = new URL(address).origin;
  const wanted = version === null ? null : { worker: worker.name, id: version };
  const fault = await faultWithin(seconds, () => faultOfShortLinks(origin, wanted));
  if (fault === null) return tell(`${origin} answers`);
  if (isNew) return tell(`${fault}. A new host may need some minutes.`);
  throw new UserFault(
    `${fault}. The Worker of the API was not deployed. To go back: npx wrangler rollback --config ${worker.config}, then look at its log.`,
  );
}

/** Whether the new version has answered: it takes time to reach all of the platform's locations. */
async function hasAnswered(url: string, worker: string, id: string, tell: (line: string) => void): Promise<boolean> {
  const { headers } = await ask(`${url}/health`, { headers: pinned({ url, token: "", version: { worker, id } }) });
  const answered = headers.get("X-Worker-Version");
  if (answered !== null && id.startsWith(answered)) {
    tell(`the version ${id} has answered`);
    return true;
  }
  tell(`NOT CHECKED: the version ${answered ?? "unknown"} has answered instead of ${id}. Check the new one in a minute:`);
  tell(`npm run smoke -- --url ${url} --worker ${worker} --worker-version ${id}`);
  return false;
}

const isWellWithin = async (url: string, seconds: number) =>
  (await faultWithin(seconds, async () => ((await fetch(`${url}/health`).catch(() => null))?.status === 200 ? null : "not well"))) === null;

async function isDashboardWithin(origin: string, seconds: number, tell: (line: string) => void): Promise<boolean> {
  const fault = await faultWithin(seconds, () => faultOfDashboard(origin));
  tell(fault === null ? `${origin}/dashboard is served` : `the dashboard is not served: ${fault}. A new host may need some minutes.`);
  return fault === null;
}

/** Looks again and again, and returns the last fault; null as soon as there is none. */
async function faultWithin(seconds: number, look: () => Promise<string | null>): Promise<string | null> {
  const giveUpAt = Date.now() + seconds * 1_000;
  for (;;) {
    const fault = await look();
    if (fault === null || Date.now() + BETWEEN > giveUpAt) return fault;
    await new Promise((again) => setTimeout(again, BETWEEN));
  }
}

function madeToken(name: string): string | null {
  const path = pathOf(name, "secrets.json");
  const kept = existsSync(path) ? jsonOf(path) : null;
  const token = typeof kept === "object" && kept !== null && "OPS_TOKEN" in kept ? kept.OPS_TOKEN : null;
  return typeof token === "string" ? token : null;
}
