import type { CellCode } from "./core/cell-code.ts";
import type { ReportingBindings } from "./core/reporting.ts";
import type { CellBindings } from "./db/cell-bindings.ts";
import type { KeyObject } from "./idempotency/client.ts";
import type { RateLimitBindings } from "./rate-limits/admission.ts";

/** Runs the sweeps of a cell. */
export interface Sweeper {
  sweep(cell: CellCode): Promise<void>;
}

/** The bindings of the Worker. The runtime also passes unvalidated settings; `readSettings` (settings.ts) validates them. */
export interface Bindings extends CellBindings, RateLimitBindings, ReportingBindings {
  readonly DIRECTORY: D1Database;
  readonly SHORT_LINKS: KVNamespace;
  readonly SNAPSHOTS: R2Bucket;
  readonly OPERATIONS: DurableObjectNamespace<KeyObject & Rpc.DurableObjectBranded>;
  readonly CELL_SWEEPERS: DurableObjectNamespace<Sweeper & Rpc.DurableObjectBranded>;
  readonly DELIVERIES: Queue;
  readonly PROCESSOR_EVENTS: Queue;
  readonly ASSETS: Fetcher;
  /** The platform's e-mail binding; optional. */
  readonly MAIL?: SendEmail;
}
