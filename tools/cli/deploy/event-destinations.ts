import { CallBudget } from "../../../src/core/call-budget.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { type Environment, environments } from "../../../src/core/environment.ts";
import { ServiceFailure } from "../../../src/core/errors.ts";
import { sentEventTypes } from "../../../src/ledger/sources.ts";
import { createStripeClient } from "../../../src/processor/account.ts";
import { createEventDestination, listEventDestinations } from "../../../src/processor/destinations.ts";
import { UserFault } from "../../local/processes.ts";
import { askYesNo, isInteractive } from "../prompt.ts";
import { varsOf } from "./config.ts";
import { keepSecrets, type Secrets } from "./private-settings.ts";
import type { DeploymentRecord } from "./record.ts";

/** The time limit for one answer of the processor, in milliseconds. */
const TIME = 20_000;

const upper = (environment: Environment) => (environment === "live" ? "LIVE" : "TEST");

/**
 * Creates the processor's event destinations whose secrets are missing, with the types and the API version that the
 * code needs, if the operator agrees and the key may. Each secret is written to the secrets file at once, because it is
 * shown only once. `wanted` is the command line's choice; undefined: the operator is asked, and without one nothing is
 * created. Returns the secrets. @throws UserFault
 */
export async function makeEventDestinations(
  record: DeploymentRecord,
  { missing, known }: { readonly missing: readonly string[]; readonly known: Secrets },
  wanted: boolean | undefined,
  tell: (line: string) => void,
): Promise<Secrets> {
  const made: Record<string, string> = {};
  for (const environment of environments) {
    const secret = `PROCESSOR_EVENT_SECRET_${upper(environment)}`;
    const key = known[`PROCESSOR_KEY_${upper(environment)}`];
    if (!missing.includes(secret) || key === undefined) continue;
    const url = `https://${record.api_host}/ingest/processor/${environment}`;
    if (!(await isWanted(wanted, url, environment))) continue;
    made[secret] = await makeDestination(record, key, url);
    keepSecrets(record.name, made);
    tell(`made the processor's event destination ${url}`);
  }
  return made;
}

async function isWanted(wanted: boolean | undefined, url: string, environment: Environment): Promise<boolean> {
  if (wanted !== undefined || !isInteractive) return wanted ?? false;
  const what = `Make the event destination ${url} at the processor now (${environment})? It gets ${sentEventTypes.length} types of events, snapshot payloads and the right version`;
  return askYesNo(what, true);
}

const inTime = () => ({ budget: new CallBudget(systemClock, TIME) });

async function makeDestination(record: DeploymentRecord, key: string, url: string): Promise<string> {
  const base = process.env.PROCESSOR_API_BASE ?? varsOf(record).PROCESSOR_API_BASE ?? "";
  const stripe = createStripeClient(base, key, (input, init) => fetch(input, init));
  try {
    const there = await listEventDestinations({ stripe }, inTime());
    if (there === null) throw new UserFault(`The processor's key may not see its event destinations. ${BY_HAND}`);
    if (there.some((one) => one.url === url)) {
      throw new UserFault(
        `The processor has an event destination ${url} already, and shows its secret only in its dashboard: give it by --secrets, or delete the destination there.`,
      );
    }
    const description = `partner payments, deployment ${record.name}`;
    return (await createEventDestination(stripe, { url, types: sentEventTypes, description }, inTime())).secret;
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure)) throw thrown;
    const { error } = thrown;
    const said = error.kind === "upstream_failed" ? error.message : "no answer in time";
    throw new UserFault(`The processor did not make the event destination ${url}: ${said}. ${BY_HAND}`);
  }
}

const BY_HAND = "Give the key the right to write Webhook Endpoints, or make the destination in the dashboard and give its secret.";
