import type { Environment } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { parseTimestamp } from "../core/iso-timestamp.ts";
import type { PartnerData } from "../db/partner-data.ts";
import type { Caller } from "../partners/authenticate.ts";
import { listMovements, type MovementPage } from "./movements/list.ts";

export interface TransactionQuery {
  readonly createdGte: string | undefined;
  readonly createdLte: string | undefined;
  readonly environment: Environment | undefined;
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
}

/**
 * The caller's own movements of a period or of one order reference, newest first. One D1
 * round trip, and up to two more for a caller that was split by time. A period that ends before it begins is empty (interface 5.3).
 * @throws ServiceFailure `invalid_input` if a bound is not an ISO 8601 date or date-time (interface 5.2).
 */
export async function listTransactions(
  { data }: { readonly data: PartnerData },
  caller: Caller,
  query: TransactionQuery,
): Promise<MovementPage> {
  const { from, to } = movementPeriodOf(query);
  if (from !== undefined && to !== undefined && from > to) return { movements: [], hasMore: false };
  const { environment, clientReferenceId, limit } = query;
  return listMovements(data, { partnerId: caller.partnerId, environment, from, to, clientReferenceId, limit });
}

/**
 * The bounds of a period in Unix milliseconds, inclusive; a bare date ends with its day.
 * @throws ServiceFailure `invalid_input` if a bound is not an ISO 8601 date or date-time (interface 5.2).
 */
export function movementPeriodOf({ createdGte, createdLte }: Pick<TransactionQuery, "createdGte" | "createdLte">) {
  return { from: timestampOf(createdGte, "start", "createdGte"), to: timestampOf(createdLte, "end", "createdLte") };
}

function timestampOf(text: string | undefined, edge: "start" | "end", field: string): number | undefined {
  if (text === undefined) return undefined;
  return (
    parseTimestamp(text, edge) ??
    rejectInput("must be an ISO 8601 date or date-time that exists, for example 2026-11-20 or 2026-11-20T08:30:00Z", field)
  );
}
