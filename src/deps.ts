import type { Bank } from "./bank/port.ts";
import { createTBank } from "./bank/t-bank.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import { type Environment, perEnvironment } from "./core/environment.ts";
import { consoleLog, type Log } from "./core/log.ts";
import { type MessageQueue, openMessageQueue } from "./core/message-queue.ts";
import type { Settings } from "./core/settings.ts";
import { connectDatabase, type Database } from "./db/client.ts";
import { type Bindings, readSettings } from "./env.ts";
import { type OperationObjects, traced } from "./idempotency/client.ts";
import { createProcessor } from "./processor/adapter.ts";
import type { ReportMisfit } from "./processor/misfits.ts";
import type { Processor } from "./processor/port.ts";
import { createSecretCipher, type SecretCipher } from "./webhooks/endpoints/secret-cipher.ts";

/**
 * All external dependencies of the modules. A function declares only the part that it uses, as an interface of its own
 * module. So its signature shows what it can access.
 */
export interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly db: Database;
  readonly shortLinkCache: KVNamespace;
  readonly operationObjects: OperationObjects;
  readonly secretCipher: SecretCipher;
  readonly assets: Fetcher;
  readonly deliveryQueue: MessageQueue;
  readonly processorEventQueue: MessageQueue;
  readonly gatherFor: number;
  readonly snapshotBucket: R2Bucket;
  processor(environment: Environment): Processor;
  /** The dependencies that log, for one HTTP request. Each log line has the request id. */
  forRequest(request: string): LoggingDeps;
  /** A bank client for one terminal. Products use the same terminal name. Throws if the settings do not have it. */
  bank(environment: Environment, terminal: string): Bank;
}

type LoggingDeps = Pick<Deps, "log" | "deliveryQueue" | "processorEventQueue" | "operationObjects">;

/** The composition root: the only place that creates clients from bindings. Throws if the settings are invalid. */
export function buildDeps(bindings: Bindings): Deps {
  const settings = readSettings(bindings);
  const log = consoleLog(systemClock);
  const { base, keys } = settings.processor;
  const processors = perEnvironment((environment) => createProcessor(base, keys[environment], environment, reportOnce(log)));
  const operationObjects: OperationObjects = (recordId) => bindings.OPERATIONS.get(bindings.OPERATIONS.idFromName(recordId));
  return {
    clock: systemClock,
    settings,
    operationObjects,
    ...loggingDeps(bindings, log),
    db: connectDatabase(bindings.DB),
    shortLinkCache: bindings.SHORT_LINKS,
    snapshotBucket: bindings.SNAPSHOTS,
    gatherFor: settings.gatherEventsFor,
    secretCipher: createSecretCipher(settings.encryptionKeys),
    assets: bindings.ASSETS,
    processor: (environment) => processors[environment],
    forRequest(request) {
      return { ...loggingDeps(bindings, log.with({ request })), operationObjects: traced(operationObjects, request) };
    },
    bank(environment, name) {
      const terminal = settings.bank.terminals[environment][name];
      if (terminal === undefined) throw new Error(`BANK_TERMINALS has no ${environment} terminal ${JSON.stringify(name)}`);
      return createTBank(settings.bank.base, terminal);
    },
  };
}

/** Logs each misfit of the processor's answers once in the life of an isolate. Their number is that of the fields. */
function reportOnce(log: Log): ReportMisfit {
  const reported = new Set<string>();
  return (object, path) => {
    const misfit = `${object} ${path}`;
    if (reported.has(misfit)) return;
    reported.add(misfit);
    log.error("an answer of the processor does not fit its shape", { object, path });
  };
}

function loggingDeps(bindings: Bindings, log: Log): Omit<LoggingDeps, "operationObjects"> {
  return {
    log,
    deliveryQueue: openMessageQueue(bindings.DELIVERIES, "deliveries", log),
    processorEventQueue: openMessageQueue(bindings.PROCESSOR_EVENTS, "processor-events", log),
  };
}
