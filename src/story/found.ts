import { type CallBudget, upstreamBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type AllDatabases, askDatabase } from "../db/all-databases.ts";
import type { Cell, Directory, NamedCell } from "../db/client.ts";
import type { FindAnywhere } from "../db/find-row.ts";
import type { PartnerData } from "../db/partner-data.ts";
import type { VersionProtocol } from "../idempotency/protocol.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import type { Processor } from "../processor/processor.ts";

/** The kinds of objects that operators can search for. */
type FoundKind =
  | "partner"
  | "employee"
  | "key"
  | "grant"
  | "product"
  | "product_import"
  | "payment_link"
  | "payment"
  | "subscription"
  | "bank_order"
  | "event"
  | "endpoint"
  | "promotion_code"
  | "platform_transaction"
  | "movement"
  | "request"
  | "change";

/** A found object. `id` is the id that the calls of its kind take. */
export interface Found {
  readonly kind: FoundKind;
  readonly id: string;
  readonly partnerId: string | null;
  /** The cell that has it; null for an object in the directory. */
  readonly cell: CellCode | null;
  readonly environment: Environment | null;
}

export interface FindDeps extends AllDatabases {
  /**
   * Only objects of this partner, from bounded reads of our own data: for a story that the partner asks for. Without it,
   * objects of all partners, and the processor is asked too.
   */
  readonly onlyOf?: PartnerLocation & { readonly partnerId: string };
  readonly directory: Directory;
  readonly clock: Clock;
  /** Waits for a slot of the processor's rate limit; without it, calls are not counted against a partner's share. */
  readonly mayCall?: (environment: Environment) => Promise<boolean>;
  readonly everyCell: () => readonly NamedCell[];
  readonly ofPartner: (location: PartnerLocation) => { readonly data: PartnerData<NamedCell> };
  readonly findAnywhere: FindAnywhere<{ readonly db: Cell }>;
  /** All operations with keys, and their protocols. */
  readonly keyedOperations: readonly { readonly operation: string; readonly generation: VersionProtocol }[];
  processor(environment: Environment): Processor;
}

/** One way to search for a text. */
export type Finder = (deps: FindDeps, wanted: string) => Promise<Found[]>;

/** Maximum number of payments of one buyer, or one order reference. */
export const MAX_PAYMENTS = 20;

/** The unknown fields of an object. */
export const NOTHING_KNOWN = { partnerId: null, cell: null, environment: null } as const;

/** The rows of a query in each reachable cell, with their cells. */
export async function inEachCell<Row>(
  deps: FindDeps,
  ask: (db: Cell) => Promise<Row | undefined>,
): Promise<{ readonly row: Row; readonly cell: CellCode }[]> {
  const found = [];
  for (const { databaseName: cell, db } of deps.everyCell()) {
    const row = await askDatabase(deps, cell, () => ask(db));
    if (row !== undefined && row !== null) found.push({ row, cell });
  }
  return found;
}

/** The deadline of one call to the processor. */
export function upstreamCall({ clock, mayCall }: Pick<FindDeps, "clock" | "mayCall">): { readonly budget: CallBudget } {
  return { budget: upstreamBudget(clock, mayCall) };
}
