import type { Environment } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { parseMoment } from "../core/iso-moment.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Movement } from "./movement.ts";
import { listMovements } from "./store.ts";

export interface TransactionQuery {
  readonly createdGte: string | undefined;
  readonly createdLte: string | undefined;
  readonly environment: Environment | undefined;
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
}

/**
 * The caller's own movements of a period or of one order reference, newest first (interface, operation 5). One D1
 * round trip. A period that ends before it begins is empty.
 * @throws ServiceFailure `invalid_input` for a bound that is no ISO 8601 date or date-time.
 */
export async function listTransactions(tools: { readonly db: Database }, caller: Caller, query: TransactionQuery): Promise<Movement[]> {
  const from = momentOf(query.createdGte, "start", "created_gte");
  const to = momentOf(query.createdLte, "end", "created_lte");
  if (from !== undefined && to !== undefined && from > to) return [];
  const { environment, clientReferenceId, limit } = query;
  return listMovements(tools.db, { partnerId: caller.partnerId, environment, from, to, clientReferenceId, limit });
}

function momentOf(text: string | undefined, edge: "start" | "end", field: string): number | undefined {
  if (text === undefined) return undefined;
  return (
    parseMoment(text, edge) ??
    rejectInput(`${field} must be an ISO 8601 date or date-time that exists, for example 2026-11-20 or 2026-11-20T08:30:00Z`, field)
  );
}
