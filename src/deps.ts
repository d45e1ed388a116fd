import type { Bank } from "./bank/port.ts";
import { createTBank } from "./bank/t-bank.ts";
import { type CellCode, cellCodeSchema, cellNumberOf, type DatabaseName, DIRECTORY, firstCellOf, idCodeIn } from "./core/cell-code.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import { type Environment, perEnvironment } from "./core/environment.ts";
import { fetchSandbox } from "./core/fetch-sandbox.ts";
import { lazy } from "./core/lazy.ts";
import { consoleLog, type Log } from "./core/log.ts";
import { type MessageQueue, openMessageQueue } from "./core/message-queue.ts";
import { createPoints, withPoints } from "./core/points.ts";
import type { Region } from "./core/regions.ts";
import { createReports, type Reports } from "./core/reports.ts";
import type { Settings } from "./core/settings.ts";
import { fetchUpstream } from "./core/trace.ts";
import { type AskDatabase, askDatabase } from "./db/all-databases.ts";
import { connectCells } from "./db/cells.ts";
import { type Cell, connectDirectory, type Database, type Directory } from "./db/client.ts";
import { type FindAnywhere, type FindById, findAnywhere, findById } from "./db/find-row.ts";
import type { Selection } from "./db/kind-rows.ts";
import { requireMigrations } from "./db/migrations.ts";
import { type PartnerCells, PartnerData } from "./db/partner-data.ts";
import type { Prepared } from "./db/prepared.ts";
import { type PulledTable, type PullToCurrentCell, pullRows, pullToCurrentCell } from "./db/pull-rows.ts";
import { Reach } from "./db/reach.ts";
import { observeRoundTrips } from "./db/round-trips.ts";
import { type Bindings, readSettings, type Sweeper } from "./env.ts";
import { type KeyActors, traced } from "./idempotency/client.ts";
import type { AccessSettings, VerifyAccessToken } from "./operators/access-token.ts";
import type { Caller } from "./partners/authenticate.ts";
import { KeyUses } from "./partners/key-uses.ts";
import { createMovedCells, createPartnerLocations, type FindPartnerLocation } from "./partners/locations.ts";
import { RememberedCallers } from "./partners/remembered-callers.ts";
import { createProcessor } from "./processor/adapter.ts";
import type { ReportMisfit } from "./processor/misfits.ts";
import type { Processor } from "./processor/port.ts";
import { createRateLimits, type RateLimits } from "./rate-limits/admission.ts";
import { mayCallFor } from "./rate-limits/processor-share.ts";
import { DisabledPartners } from "./short-links/disabled-partners.ts";
import { SlugMemory } from "./short-links/slug-memory.ts";
import { SlowReceivers } from "./webhooks/delivery/slow-receivers.ts";
import { createSecretCipher, type SecretCipher } from "./webhooks/endpoints/secret-cipher.ts";

/**
 * All external dependencies of the modules. A function declares only the part that it uses, as an interface of its own
 * module. So its signature shows what it can access.
 */
export interface Deps {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** The start of the id of the Worker's version; empty if it is unknown. */
  readonly version: string;
  readonly reports: Reports;
  readonly directory: Directory;
  readonly rememberedCallers: RememberedCallers<Caller>;
  readonly keyUses: KeyUses;
  /** The codes of all cells. */
  readonly cells: readonly CellCode[];
  /** The region of a cell's database; null if no setting says it. */
  readonly regionOf: (cell: CellCode) => Region | null;
  /** The directory and all cells, in this order: rows move from the directory to a cell. */
  readonly databaseNames: readonly DatabaseName[];
  readonly shortLinkCache: KVNamespace;
  readonly slugMemory: SlugMemory;
  readonly disabledPartners: DisabledPartners;
  readonly checkoutOrigins: readonly string[] | null;
  readonly keyActors: KeyActors;
  /** The Durable Object that runs the sweeps of a cell. */
  readonly sweeperOf: (cell: CellCode) => Sweeper;
  readonly secretCipher: SecretCipher;
  readonly slowReceivers: SlowReceivers;
  readonly assets: Fetcher;
  /** Null if no sign-in is configured. */
  readonly verifyAccessToken: VerifyAccessToken | null;
  readonly rateLimits: RateLimits;
  readonly mayCallFor: (partnerId: string, environment: Environment) => Promise<boolean>;
  /** The IP address of the client. */
  readonly address: string;
  readonly eventDebounceMs: number;
  readonly snapshotBucket: R2Bucket;
  /** The queue bindings, by name. */
  readonly queues: Readonly<Record<string, Queue>>;
  processor(environment: Environment): Processor;
  /** A bank client for one terminal. Products use the same terminal name. Throws if the settings do not have it. */
  bank(environment: Environment, terminal: string): Bank;
  /** The location of a partner's data; null for an unknown partner. */
  readonly locationOf: FindPartnerLocation;
  /** The dependencies with the data of one partner. */
  readonly ofPartner: (location: PartnerCells) => PartnerDeps;
  /** The dependencies with the data of one cell. Throws if there is no such cell. */
  readonly inCell: (cell: CellCode) => CellDeps;
  /** All cells, in the order of their codes. */
  readonly everyCell: () => readonly CellDeps[];
  /** The cell with the code that an operator gave; null if there is none. */
  readonly cellNamed: (code: string) => CellDeps | null;
  readonly findById: FindById<CellDeps>;
  readonly findAnywhere: FindAnywhere<CellDeps>;
  readonly pullToCurrentCell: PullToCurrentCell<CellDeps>;
  readonly pullRows: PullRows;
  /** The dependencies with the original cell of an id's id code. Null if there is no such cell. */
  readonly inOriginalCellOf: (id: string) => CellDeps | null;
  /** The dependencies with the directory, which holds data without an owner. */
  readonly inDirectory: () => DirectoryDeps;
  readonly inDatabase: (databaseName: DatabaseName) => DatabaseDeps;
  /** The answer of a database. Null for an unreachable cell, in work that answers from the reachable ones. */
  readonly askDatabase: AskDatabase;
  /** Set for reading calls of operators, which answer from the reachable databases (db/all-databases.ts). */
  readonly reach?: Reach | undefined;
  /** The dependencies for work that answers from the reachable databases. `reach` then lists the unreachable cells. */
  readonly answeringPartly: () => Deps & { readonly reach: Reach };
  /** The dependencies for one HTTP request. Each log line has the request id. */
  forRequest(request: string, address: string): Deps;
}

/** The dependencies with one database. Queue messages name the database, so that their consumer finds it. */
interface DatabaseDeps extends Deps {
  readonly databaseName: DatabaseName;
  readonly db: Database;
  readonly deliveryQueue: MessageQueue;
  readonly processorEventQueue: MessageQueue;
}

/** The dependencies with one cell: all that an operation of a partner needs. */
export interface CellDeps extends DatabaseDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
}

/** The dependencies with one partner's data: its current cell, for writes, and all its cells, for reads. */
export interface PartnerDeps extends CellDeps {
  readonly data: PartnerData<CellDeps>;
}

/** Moves rows of a partner from earlier cells to its current one, where they may be changed ({@link pullRows}). */
type PullRows = (
  cells: { readonly from: readonly CellCode[]; readonly to: CellCode },
  table: PulledTable,
  partnerId: string,
  selection: Selection,
) => Promise<void>;

/** The dependencies with data that has no owner. */
interface DirectoryDeps extends DatabaseDeps {
  readonly databaseName: typeof DIRECTORY;
  readonly db: Directory;
}

export type { Prepared };

/** The address in work that no request started. */
const NO_ADDRESS = "";

/** Characters of the version id in log lines and points: unique among the versions of a year. */
const VERSION_LENGTH = 8;

/** The factor on the platform's rate limits in local development. */
const LOCAL_LIMITS = 100;

let built = new WeakMap<Bindings, Deps>();

/** The dependencies of an isolate, built once: its requests and Durable Objects share the clients. */
export function depsOf(bindings: Bindings): Deps {
  const known = built.get(bindings) ?? buildDeps(bindings);
  built.set(bindings, known);
  return known;
}

/** Clears the dependencies of the isolate, for tests that share one. */
export function forgetDeps(): void {
  built = new WeakMap();
}

/** The composition root: the only place that creates clients from bindings. Throws if the settings are invalid. */
export function buildDeps(bindings: Bindings): Deps {
  const settings = readSettings(bindings);
  const version = bindings.VERSION?.id.slice(0, VERSION_LENGTH) ?? "";
  const write = createPoints(bindings.WORK ?? null, version);
  const log = withPoints(consoleLog(systemClock, version === "" ? {} : { version }), write);
  const { base, keys } = settings.processor;
  const send = settings.local ? fetchSandbox : fetchUpstream;
  const processors = perEnvironment((environment) =>
    lazy(() => createProcessor(base, keys[environment], environment, send, reportOnce(log))),
  );
  const regionOf = (cell: CellCode) => settings.cellRegions[cellNumberOf(cell) - 1] ?? settings.databaseRegion;
  // A Durable Object makes several round trips to its database, and its caller makes one to the object. So the object
  // is placed near the database.
  const beside = (cell: CellCode) => {
    const region = regionOf(cell);
    return region === null ? {} : { locationHint: region };
  };
  const keyActors: KeyActors = (recordId, cell) => bindings.OPERATIONS.get(bindings.OPERATIONS.idFromName(recordId), beside(cell));
  const sweeperOf = (cell: CellCode): Sweeper => bindings.CELL_SWEEPERS.get(bindings.CELL_SWEEPERS.idFromName(cell), beside(cell));
  const reports = createReports(log, write, settings.logged, Math.random);
  const directory = connectDirectory(observeRoundTrips(bindings.DIRECTORY, requireMigrations(bindings.DIRECTORY, DIRECTORY)));
  const cells = connectCells(bindings);
  const rateLimits = createRateLimits(bindings, systemClock, settings.local ? LOCAL_LIMITS : 1);
  const shared = {
    clock: systemClock,
    settings,
    version,
    reports,
    directory,
    rememberedCallers: new RememberedCallers<Caller>(),
    keyUses: new KeyUses(),
    cells: [...cells.keys()],
    regionOf,
    sweeperOf,
    databaseNames: [DIRECTORY, ...cells.keys()] as const,
    shortLinkCache: bindings.SHORT_LINKS,
    slugMemory: new SlugMemory(),
    disabledPartners: new DisabledPartners(),
    checkoutOrigins: settings.processor.checkoutOrigins,
    snapshotBucket: bindings.SNAPSHOTS,
    queues: { deliveries: bindings.DELIVERIES, "processor-events": bindings.PROCESSOR_EVENTS },
    eventDebounceMs: settings.eventDebounceMs,
    secretCipher: createSecretCipher(settings.encryptionKeys),
    slowReceivers: new SlowReceivers(),
    assets: bindings.ASSETS,
    verifyAccessToken: settings.access === null ? null : accessVerifier(settings.access),
    rateLimits,
    mayCallFor: (partnerId: string, environment: Environment) => mayCallFor(rateLimits.processor, partnerId, environment),
    locationOf: createPartnerLocations(directory, systemClock),
    movedCells: createMovedCells(directory, systemClock),
    processor: (environment: Environment) => processors[environment](),
    bank(environment: Environment, name: string) {
      const terminal = settings.bank.terminals[environment][name];
      if (terminal === undefined) throw new Error(`BANK_TERMINALS has no ${environment} terminal ${JSON.stringify(name)}`);
      return createTBank(settings.bank.base, terminal, send);
    },
  };
  return withLog(log, keyActors, NO_ADDRESS);

  function withLog(lines: Log, objects: KeyActors, address: string): Deps {
    const queuesOf = (databaseName: DatabaseName) => ({
      deliveryQueue: openMessageQueue(bindings.DELIVERIES, "deliveries", databaseName, lines),
      processorEventQueue: openMessageQueue(bindings.PROCESSOR_EVENTS, "processor-events", databaseName, lines),
    });
    const deps: Deps = {
      ...shared,
      address,
      log: lines,
      keyActors: objects,
      inCell(cell) {
        const db = cells.get(cell);
        if (db === undefined) throw new Error(`there is no cell ${cell}`);
        return { ...deps, databaseName: cell, db, ...queuesOf(cell) };
      },
      ofPartner: (location) => ({ ...deps.inCell(location.cell), data: new PartnerData(location, deps.inCell) }),
      everyCell: () => shared.cells.map(deps.inCell),
      cellNamed(code) {
        const cell = cellCodeSchema.safeParse(code).data;
        return cell !== undefined && cells.has(cell) ? deps.inCell(cell) : null;
      },
      inOriginalCellOf(id) {
        const code = idCodeIn(id);
        const cell = code === null ? null : firstCellOf(code);
        return cell !== null && cells.has(cell) ? deps.inCell(cell) : null;
      },
      findById: (id, find) => findById({ ...shared, inCell: deps.inCell }, id, find),
      findAnywhere: (find) => findAnywhere({ ...shared, inCell: deps.inCell }, find),
      pullToCurrentCell: (table, key, known) => pullToCurrentCell({ ...shared, inCell: deps.inCell }, table, key, known),
      async pullRows({ from, to }, table, partnerId, selection) {
        for (const cell of from) {
          await pullRows({ from: deps.inCell(cell).db, to: deps.inCell(to).db }, table, partnerId, () => selection);
        }
      },
      inDirectory: () => ({ ...deps, databaseName: DIRECTORY, db: directory, ...queuesOf(DIRECTORY) }),
      inDatabase: (databaseName) => (databaseName === DIRECTORY ? deps.inDirectory() : deps.inCell(databaseName)),
      askDatabase: (databaseName, ask) => askDatabase({}, databaseName, ask),
      answeringPartly() {
        const reach = new Reach();
        return { ...deps, reach, askDatabase: (databaseName, ask) => askDatabase({ reach }, databaseName, ask) };
      },
      forRequest: (request, from) => withLog(log.with({ request }), traced(keyActors, request), from),
    };
    return deps;
  }
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
