import type { Bank } from "./bank/port.ts";
import { openTBank } from "./bank/t-bank.ts";
import { type Clock, DAY, SECOND, systemClock } from "./core/clock.ts";
import type { Environment } from "./core/environment.ts";
import { consoleLog, describeThrown, type Log } from "./core/log.ts";
import type { Settings } from "./core/settings.ts";
import type { WakeUp } from "./core/wake-up.ts";
import { type Database, openDatabase } from "./db/client.ts";
import { type Bindings, readSettings } from "./env.ts";
import { type OperationObjects, traced } from "./idempotency/client.ts";
import { openSecretBox, type SecretBox } from "./notifications/secret-box.ts";
import { openProcessor } from "./processor/adapter.ts";
import type { Processor } from "./processor/port.ts";

/**
 * Everything that the rooms need from outside. A function asks for the part that it uses, by an interface of its own
 * room, so its signature says what it can touch.
 */
export interface Tools {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly db: Database;
  readonly shortLinkCache: KVNamespace;
  readonly operationObjects: OperationObjects;
  readonly secretBox: SecretBox;
  readonly assets: Fetcher;
  readonly wakeDeliveries: WakeUp;
  readonly wakeProcessorEvents: WakeUp;
  processor(environment: Environment): Processor;
  /** Those that log, for one HTTP request: each line bears its id. */
  forRequest(request: string): LoggingTools;
  /** The bank through one of its terminals, by the name that products call it by. Throws where the settings lack it. */
  bank(environment: Environment, terminal: string): Bank;
}

type LoggingTools = Pick<Tools, "log" | "wakeDeliveries" | "wakeProcessorEvents" | "operationObjects">;

/** The composition root: the only place that makes clients from bindings. Throws where the settings are wrong. */
export function buildTools(bindings: Bindings): Tools {
  const settings = readSettings(bindings);
  const log = consoleLog(systemClock);
  const { base, keys } = settings.processor;
  const processors = { live: openProcessor(base, keys.live, "live"), test: openProcessor(base, keys.test, "test") };
  const operationObjects: OperationObjects = (recordId) => bindings.OPERATIONS.get(bindings.OPERATIONS.idFromName(recordId));
  return {
    clock: systemClock,
    settings,
    operationObjects,
    ...loggingTools(bindings, log),
    db: openDatabase(bindings.DB),
    shortLinkCache: bindings.SHORT_LINKS,
    secretBox: openSecretBox(settings.encryptionKeys),
    assets: bindings.ASSETS,
    processor: (environment) => processors[environment],
    forRequest(request) {
      return { ...loggingTools(bindings, log.with({ request })), operationObjects: traced(operationObjects, request) };
    },
    bank(environment, name) {
      const terminal = settings.bank.terminals[environment][name];
      if (terminal === undefined) throw new Error(`BANK_TERMINALS has no ${environment} terminal ${JSON.stringify(name)}`);
      return openTBank(settings.bank.base, terminal);
    },
  };
}

function loggingTools(bindings: Bindings, log: Log): Omit<LoggingTools, "operationObjects"> {
  return {
    log,
    wakeDeliveries: wakeThrough(bindings.DELIVERIES, "deliveries", log),
    wakeProcessorEvents: wakeThrough(bindings.PROCESSOR_EVENTS, "processor-events", log),
  };
}

/** What a queue takes: messages at once, and delay. */
const MOST_MESSAGES = 100;

function wakeThrough(queue: Queue, name: string, log: Log): WakeUp {
  return {
    async send(ids, wait = 0) {
      const delaySeconds = Math.ceil(Math.min(wait, DAY) / SECOND);
      for (let start = 0; start < ids.length; start += MOST_MESSAGES) {
        const called = ids.slice(start, start + MOST_MESSAGES);
        try {
          await queue.sendBatch(
            called.map((id) => ({ body: { id }, contentType: "json" as const })),
            { delaySeconds },
          );
        } catch (thrown) {
          log.error("not woken", { queue: name, first: called[0], count: called.length, ...describeThrown(thrown) });
        }
      }
    },
  };
}
