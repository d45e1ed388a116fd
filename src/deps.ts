import type { Bank } from "./bank/port.ts";
import type { Mailer } from "./chats/mailer.ts";
import type { CellCode, DatabaseName, DIRECTORY } from "./core/cell-code.ts";
import type { Clock } from "./core/clock.ts";
import type { Environment } from "./core/environment.ts";
import type { Log } from "./core/log.ts";
import type { Memory } from "./core/memory.ts";
import type { MessageQueue } from "./core/message-queue.ts";
import type { Region } from "./core/regions.ts";
import type { Reports } from "./core/reports.ts";
import type { SecretCipher } from "./core/secret-cipher.ts";
import type { Settings } from "./core/settings.ts";
import type { AskDatabase } from "./db/all-databases.ts";
import type { Cell, Database, Directory } from "./db/client.ts";
import type { FindAnywhere, FindById } from "./db/find-row.ts";
import type { Selection } from "./db/kind-rows.ts";
import type { PartnerCells, PartnerData } from "./db/partner-data.ts";
import type { Prepared } from "./db/prepared.ts";
import type { PulledTable, PullToCurrentCell } from "./db/pull-rows.ts";
import type { Reach } from "./db/reach.ts";
import type { Sweeper } from "./env.ts";
import type { KeyActors } from "./idempotency/client.ts";
import type { ReadOpens } from "./opens/analytics.ts";
import type { VerifyAccessToken } from "./operators/access-token.ts";
import type { Caller } from "./partners/authenticate.ts";
import type { KeyUses } from "./partners/key-uses.ts";
import type { FindPartnerLocation } from "./partners/locations.ts";
import type { RefusedKeys } from "./partners/refused-keys.ts";
import type { RememberedCallers } from "./partners/remembered-callers.ts";
import type { Processor } from "./processor/processor.ts";
import type { RateLimits } from "./rate-limits/admission.ts";
import type { DisabledPartners } from "./short-links/disabled-partners.ts";
import type { SlugMemory } from "./short-links/slug-memory.ts";

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
  readonly refusedKeys: RefusedKeys;
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
  readonly slowReceivers: Memory<true>;
  /** Null: this service does not count how often short links are opened. */
  readonly readOpens: ReadOpens | null;
  /** Sends messages by e-mail; null if this service sends none. */
  readonly mailer: Mailer | null;
  readonly assets: Fetcher;
  /** Null if no sign-in is configured. */
  readonly verifyAccessToken: VerifyAccessToken | null;
  readonly rateLimits: RateLimits;
  /** The partners whose refused requests of a day are as many as are kept, with the start of that day. */
  readonly fullRefusals: Memory<number>;
  readonly mayCallFor: (partnerId: string, environment: Environment) => Promise<boolean>;
  /** The id of the HTTP request; empty in work that no request started. */
  readonly requestId: string;
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
