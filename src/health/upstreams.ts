import type { Bank } from "../bank/port.ts";
import { CallBudget } from "../core/call-budget.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import { type Environment, environments } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import { sentEventTypes } from "../ledger/sources.ts";
import { neededRights } from "../processor/needed-rights.ts";
import type { EventDestination, MissingRight } from "../processor/port.ts";
import type { Processor } from "../processor/processor.ts";
import { API_VERSION } from "../processor/version.ts";
import { type Finding, failed, findingsOf, ok, warning } from "./finding.ts";

/** The time limit of an upstream for one check. */
const TIME = 8 * SECOND;

/** An order id that the bank does not have. */
const NO_ORDER = "health-check";

export interface UpstreamDeps {
  readonly clock: Clock;
  readonly settings: Settings;
  processor(environment: Environment): Processor;
  bank(environment: Environment, terminal: string): Bank;
}

/** The address to which the processor must send the events of an environment. */
function eventAddress(apiOrigin: string, environment: Environment): string {
  return `${apiOrigin}/ingest/processor/${environment}`;
}

/** Whether the processor's key of an environment works, which rights it lacks, and whether its events are sent here. */
export async function checkProcessor(deps: UpstreamDeps, environment: Environment): Promise<readonly Finding[]> {
  const processor = deps.processor(environment);
  const check = `processor ${environment}`;
  let missing: readonly MissingRight[];
  try {
    missing = await processor.findMissingRights({ budget: new CallBudget(deps.clock, TIME) });
  } catch (thrown) {
    const cure = `Check PROCESSOR_KEY_${environment.toUpperCase()}, and the processor's status page.`;
    return [failed(check, messageOf(thrown), cure)];
  }
  const destinations = await findingsOf(`${check} events`, "Try again.", async () =>
    checkDestinations(
      `${check} events`,
      await processor.listEventDestinations({ budget: new CallBudget(deps.clock, TIME) }),
      eventAddress(deps.settings.apiOrigin, environment),
    ),
  );
  return [ok(check, "the key works"), ...checkRights(`${check} rights`, missing), ...destinations];
}

function checkRights(check: string, missing: readonly MissingRight[]): readonly Finding[] {
  if (missing.length === 0) return [ok(check, `the key has all read permissions that are needed: ${neededRights.length} kinds of objects`)];
  return missing.map(({ right, without }) => {
    const cure = `Give the key the permission ${right} in the processor's dashboard, Developers, API keys.`;
    return failed(check, `the key may not read ${right}: ${without}`, cure);
  });
}

function checkDestinations(check: string, all: readonly EventDestination[] | null, address: string): readonly Finding[] {
  if (all === null) {
    const cure = "Allow the key to read webhook endpoints, or check them in the processor's dashboard.";
    return [warning(check, "the key may not list the event destinations", cure)];
  }
  const found = all.find(({ url, isEnabled }) => url === address && isEnabled);
  if (found === undefined) {
    const isOff = all.some(({ url }) => url === address);
    const detail = isOff ? `the destination ${address} is switched off` : `no event destination sends snapshot payloads to ${address}`;
    return [failed(check, detail, "Create or enable it at the processor: docs/deploy.md, event destinations.")];
  }
  const { apiVersion, types } = found;
  if (apiVersion !== API_VERSION) {
    const detail = `its API version is ${apiVersion ?? "the account's"}, not ${API_VERSION}`;
    return [warning(check, detail, "Create a destination with that version, then remove this one.")];
  }
  const missing = types.includes("*") ? [] : sentEventTypes.filter((type) => !types.includes(type));
  if (missing.length > 0) return [warning(check, `it does not send ${missing.join(", ")}`, "Add these types to the destination.")];
  return [ok(check, `they are sent here: ${types.includes("*") ? "all" : types.length} types, snapshot payloads, version ${apiVersion}`)];
}

/** Whether the bank accepts the password of each terminal: asks for an order that does not exist. */
export async function checkBank(deps: UpstreamDeps): Promise<readonly Finding[]> {
  const terminals = environments.flatMap((environment) =>
    Object.keys(deps.settings.bank.terminals[environment]).map((terminal) => ({ environment, terminal })),
  );
  const found = await Promise.all(
    terminals.map(async ({ environment, terminal }) => {
      const check = `bank ${environment} ${terminal}`;
      try {
        await deps.bank(environment, terminal).paymentsOf(NO_ORDER, { budget: new CallBudget(deps.clock, TIME) });
        return ok(check, "the terminal works");
      } catch (thrown) {
        return failed(
          check,
          messageOf(thrown),
          "Check the terminal in BANK_TERMINALS, and whether the Worker reaches the bank: docs/deploy.md, the ruble bank.",
        );
      }
    }),
  );
  return found.length === 0 ? [ok("bank", "no terminal is set: nothing is sold in rubles")] : found;
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof ServiceFailure)) return "failed";
  const { cause, error } = thrown;
  const because = cause instanceof Error ? ` (${cause.name})` : "";
  return error.kind === "upstream_timeout"
    ? `no answer in ${TIME / SECOND} s`
    : `${"message" in error ? error.message : error.kind}${because}`;
}
