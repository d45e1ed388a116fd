import { createTBank } from "./bank/t-bank.ts";
import { createMailer } from "./chats/mailer.ts";
import { type CellCode, cellNumberOf, type DatabaseName, DIRECTORY, firstCellOf, idCodeIn } from "./core/cell-code.ts";
import { cellCodeSchema } from "./core/cell-code-schema.ts";
import { DAY, systemClock } from "./core/clock.ts";
import { type Environment, perEnvironment } from "./core/environment.ts";
import { fetchSandbox } from "./core/fetch-sandbox.ts";
import { lazy } from "./core/lazy.ts";
import type { Log } from "./core/log.ts";
import { Memory } from "./core/memory.ts";
import { openMessageQueue } from "./core/message-queue.ts";
import { createReporting } from "./core/reporting.ts";
import { createSecretCipher } from "./core/secret-cipher.ts";
import type { Settings } from "./core/settings.ts";
import { fetchUpstream } from "./core/trace.ts";
import { askDatabase } from "./db/all-databases.ts";
import { connectCells } from "./db/cells.ts";
import { connectDirectory } from "./db/client.ts";
import { findAnywhere, findById } from "./db/find-row.ts";
import { requireMigrations } from "./db/migrations.ts";
import { PartnerData } from "./db/partner-data.ts";
import { pullRows, pullToCurrentCell } from "./db/pull-rows.ts";
import { Reach } from "./db/reach.ts";
import { observeRoundTrips } from "./db/round-trips.ts";
import type { Deps } from "./deps.ts";
import type { Bindings, Sweeper } from "./env.ts";
import { type KeyActors, traced } from "./idempotency/client.ts";
import { createReadOpens } from "./opens/analytics.ts";
import type { AccessSettings, VerifyAccessToken } from "./operators/access-token.ts";
import type { Caller } from "./partners/authenticate.ts";
import { KeyUses } from "./partners/key-uses.ts";
import { createMovedCells, createPartnerLocations } from "./partners/locations.ts";
import { RefusedKeys } from "./partners/refused-keys.ts";
import { RememberedCallers } from "./partners/remembered-callers.ts";
import type { ReportMisfit } from "./processor/misfits.ts";
import { createProcessor } from "./processor/processor.ts";
import { createRateLimits, mayCallFor } from "./rate-limits/admission.ts";
import { readSettings } from "./settings.ts";
import { DisabledPartners } from "./short-links/disabled-partners.ts";
import { SlugMemory } from "./short-links/slug-memory.ts";
import { newSlowReceivers } from "./webhooks/delivery/slow-receivers.ts";

/** The address in work that no request started. */
const NO_ADDRESS = "";

/** Partners whose day of refused requests is full that an isolate remembers. */
const FULL_REFUSALS = 10_000;

/** The factor on the platform's rate limits in local development. */
const LOCAL_LIMITS = 100;

/** The composition root: the only place that creates clients from bindings. Throws if the settings are invalid. */
export function buildDeps(bindings: Bindings): Deps {
  const isolate = isolateDeps(bindings);
  return requestDeps(isolate, isolate.isolateLog, isolate.isolateActors, { requestId: "", address: NO_ADDRESS });
}

/** What all requests of an isolate share. */
type IsolateDeps = ReturnType<typeof isolateDeps>;

function isolateDeps(bindings: Bindings) {
  const settings = readSettings(bindings);
  const { isolateLog, ...reporting } = createReporting(bindings, settings.logged);
  const directory = connectDirectory(observeRoundTrips(bindings.DIRECTORY, requireMigrations(bindings.DIRECTORY, DIRECTORY)));
  const databases = connectCells(bindings);
  const rateLimits = createRateLimits(bindings, systemClock, settings.local ? LOCAL_LIMITS : 1);
  return {
    clock: systemClock,
    settings,
    ...reporting,
    isolateLog,
    shortLinkCache: bindings.SHORT_LINKS,
    slugMemory: new SlugMemory(),
    disabledPartners: new DisabledPartners(),
    checkoutOrigins: settings.processor.checkoutOrigins,
    directory,
    databases,
    cells: [...databases.keys()],
    databaseNames: [DIRECTORY, ...databases.keys()] as const,
    ...durableObjects(bindings, settings),
    ...upstreams(settings, isolateLog),
    rememberedCallers: new RememberedCallers<Caller>(),
    fullRefusals: new Memory<number>(DAY, FULL_REFUSALS),
    keyUses: new KeyUses(),
    refusedKeys: new RefusedKeys(),
    snapshotBucket: bindings.SNAPSHOTS,
    queues: { deliveries: bindings.DELIVERIES, "processor-events": bindings.PROCESSOR_EVENTS },
    eventDebounceMs: settings.eventDebounceMs,
    secretCipher: createSecretCipher(settings.encryptionKeys),
    slowReceivers: newSlowReceivers(),
    readOpens: settings.analytics === null ? null : createReadOpens(settings.analytics, settings.local ? fetchSandbox : fetchUpstream),
    mailer: createMailer(settings, bindings.MAIL),
    assets: bindings.ASSETS,
    verifyAccessToken: settings.access === null ? null : accessVerifier(settings.access),
    rateLimits,
    mayCallFor: (partnerId: string, environment: Environment) => mayCallFor(rateLimits.processor, partnerId, environment),
    locationOf: createPartnerLocations(directory.$client, systemClock),
    movedCells: createMovedCells(directory.$client, systemClock),
  };
}

/**
 * The Durable Objects. Each makes several round trips to its database, and its caller makes one to the object. So an object is
 * placed near the database of its cell.
 */
function durableObjects({ OPERATIONS, CELL_SWEEPERS }: Bindings, { cellRegions, databaseRegion }: Settings) {
  const regionOf = (cell: CellCode) => cellRegions[cellNumberOf(cell) - 1] ?? databaseRegion;
  const beside = (cell: CellCode) => {
    const region = regionOf(cell);
    return region === null ? {} : { locationHint: region };
  };
  const isolateActors: KeyActors = (recordId, cell) => OPERATIONS.get(OPERATIONS.idFromName(recordId), beside(cell));
  const sweeperOf = (cell: CellCode): Sweeper => CELL_SWEEPERS.get(CELL_SWEEPERS.idFromName(cell), beside(cell));
  return { regionOf, isolateActors, sweeperOf };
}

/** The clients of processor and bank, each built on first use. */
function upstreams(settings: Settings, log: Log): Pick<Deps, "processor" | "bank"> {
  const { base, keys } = settings.processor;
  const send = settings.local ? fetchSandbox : fetchUpstream;
  const processors = perEnvironment((environment) =>
    lazy(() => createProcessor({ base, key: keys[environment], environment, send, report: reportOnce(log) })),
  );
  return {
    processor: (environment) => processors[environment](),
    bank(environment, name) {
      const terminals = settings.bank.terminals[environment];
      const terminal = Object.hasOwn(terminals, name) ? terminals[name] : undefined;
      if (terminal === undefined) throw new Error(`BANK_TERMINALS has no ${environment} terminal ${JSON.stringify(name)}`);
      return createTBank(settings.bank.base, terminal, send);
    },
  };
}

/** The dependencies of one request: those of the isolate, with a log and Durable Objects that carry the request's id. */
function requestDeps(isolate: IsolateDeps, log: Log, keyActors: KeyActors, request: Pick<Deps, "requestId" | "address">): Deps {
  const { databases, isolateLog, isolateActors, ...shared } = isolate;
  const { deliveries, "processor-events": processorEvents } = shared.queues;
  const queuesOf = (databaseName: DatabaseName) => ({
    deliveryQueue: openMessageQueue(deliveries, "deliveries", databaseName, log),
    processorEventQueue: openMessageQueue(processorEvents, "processor-events", databaseName, log),
  });
  const deps: Deps = {
    ...shared,
    ...request,
    log,
    keyActors,
    inCell(cell) {
      const db = databases.get(cell);
      if (db === undefined) throw new Error(`there is no cell ${cell}`);
      return { ...deps, databaseName: cell, db, ...queuesOf(cell) };
    },
    ofPartner: (location) => ({ ...deps.inCell(location.cell), data: new PartnerData(location, deps.inCell) }),
    everyCell: () => shared.cells.map(deps.inCell),
    cellNamed(code) {
      const cell = cellCodeSchema.safeParse(code).data;
      return cell !== undefined && databases.has(cell) ? deps.inCell(cell) : null;
    },
    inOriginalCellOf(id) {
      const code = idCodeIn(id);
      const cell = code === null ? null : firstCellOf(code);
      return cell !== null && databases.has(cell) ? deps.inCell(cell) : null;
    },
    findById: (id, find) => findById({ ...shared, inCell: deps.inCell }, id, find),
    findAnywhere: (find) => findAnywhere({ ...shared, inCell: deps.inCell }, find),
    pullToCurrentCell: (table, key, known) => pullToCurrentCell({ ...shared, inCell: deps.inCell }, table, key, known),
    async pullRows({ from, to }, table, partnerId, selection) {
      for (const cell of from) {
        await pullRows({ from: deps.inCell(cell).db, to: deps.inCell(to).db }, table, partnerId, () => selection);
      }
    },
    inDirectory: () => ({ ...deps, databaseName: DIRECTORY, db: shared.directory, ...queuesOf(DIRECTORY) }),
    inDatabase: (databaseName) => (databaseName === DIRECTORY ? deps.inDirectory() : deps.inCell(databaseName)),
    askDatabase: (databaseName, ask) => askDatabase({}, databaseName, ask),
    answeringPartly() {
      const reach = new Reach();
      return { ...deps, reach, askDatabase: (databaseName, ask) => askDatabase({ reach }, databaseName, ask) };
    },
    forRequest: (requestId, address) =>
      requestDeps(isolate, isolateLog.with({ request: requestId }), traced(isolateActors, requestId), { requestId, address }),
  };
  return deps;
}

/** Loaded with the first token: only operators send one. */
function accessVerifier(access: AccessSettings): VerifyAccessToken {
  let verify: VerifyAccessToken | undefined;
  return async (token, now) => {
    const { createAccessVerifier } = await import("./operators/access-token.ts");
    verify ??= createAccessVerifier(access);
    return verify(token, now);
  };
}

/** Logs each unexpected field of the processor's answers once per isolate. */
function reportOnce(log: Log): ReportMisfit {
  const reported = new Set<string>();
  return (object, path) => {
    const misfit = `${object} ${path}`;
    if (reported.has(misfit)) return;
    reported.add(misfit);
    log.error("an answer of the processor does not fit its shape", { object, path });
  };
}
