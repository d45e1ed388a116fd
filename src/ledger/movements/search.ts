import { and, eq, getTableColumns, gte, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Environment, environments } from "../../core/environment.ts";
import { type movementKinds, movementTypes, rankOf } from "../../core/movements.ts";
import { isOwnedBy, type OwnList } from "../../db/newest-page.ts";
import { movements } from "../../db/schema/ledger.ts";
import { amountAsShown, defineSelections, isShownAs, type Whose } from "../../db/selection.ts";
import type { Movement, MovementType } from "../movement.ts";
import { KIND } from "./entries.ts";

const { partnerId, environment, transactionDate, id, paymentIntentId, clientReferenceId, paymentLinkId } = movements;

/** Which movements a person looks for; a field that is undefined does not restrict the list. */
export interface MovementSearch {
  readonly payment?: string | undefined;
  readonly reference?: string | undefined;
  readonly link?: string | undefined;
  readonly subscription?: string | undefined;
  readonly type?: MovementType | undefined;
  readonly kind?: (typeof movementKinds)[number] | undefined;
  readonly status?: Movement["status"] | undefined;
  /** ISO 4217, upper case: the settlement currency. */
  readonly currency?: string | undefined;
  /** Bounds without a sign, inclusive, in minor units of `currency`. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
  /** The amount without a sign, as it is shown, in major units: what was booked, or what the customer was charged or given back. */
  readonly shown?: number | undefined;
}

/** Newest first. The processor's times are in seconds: within one, what follows a payment comes after it, as in operation 5. */
export function inOrder<Row extends { readonly at: number; readonly type: string | null }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => right.at - left.at || rankOf(right.type) - rankOf(left.type));
}

/** SQL for {@link rankOf}. */
const RANK = sql`CASE ${movements.type} ${sql.join(movementTypes.map((type) => sql`WHEN ${type} THEN ${rankOf(type)} `))}ELSE 0 END`;

/**
 * Selections of movements. All rows together are what was booked: a movement that failed is beside the one that reverses it. A fee that
 * is not known is counted apart.
 */
export const movementSelections = defineSelections({
  table: movements,
  id,
  createdAt: transactionDate,
  isOwn: ({ partnerId: owner, environment: only, filter }: Whose<MovementSearch>) =>
    keyOf(owner, only === undefined ? environments : [only], filter),
  isFiltered: filterOf,
  // Within one second, what follows a payment comes after it.
  sorts: { transaction_date: sql`${transactionDate} * 10 + ${RANK}`, amount: amountAsShown(movements.amount, movements.currency) },
  columns: getTableColumns(movements),
  environment: movements.environment,
  currency: movements.currency,
  fields: {
    amount: movements.amount,
    fee: sql`COALESCE(${movements.fee}, 0)`,
    withoutFee: sql`${movements.fee} IS NULL`,
  },
  schema: z.object({ amount: z.int(), fee: z.int(), withoutFee: z.int() }),
});

/** SQL condition: the row is of these partners, by the index that finds the fewest rows. A plus keeps SQLite from another index. */
function keyOf(owner: OwnList["partnerId"], wanted: readonly Environment[], { payment, reference, link }: MovementSearch): SQL | undefined {
  const list = { partnerId: owner };
  const isPlainlyOwn = and(isOwnedBy(sql`+${partnerId}`, list), inArray(sql`+${environment}`, [...wanted]));
  if (payment !== undefined) return and(eq(paymentIntentId, payment), isPlainlyOwn);
  if (link !== undefined) return and(eq(paymentLinkId, link), isPlainlyOwn, reference === undefined ? undefined : isOf(reference));
  return and(isOwnedBy(partnerId, list), inArray(environment, [...wanted]), reference === undefined ? undefined : isOf(reference));
}

const isOf = (reference: string) => eq(clientReferenceId, reference);

function filterOf({ subscription, type, kind, status, currency, amountFrom, amountTo, shown, payment, link, reference }: MovementSearch) {
  const size = sql`abs(${movements.amount})`;
  return and(
    subscription === undefined ? undefined : eq(movements.subscriptionId, subscription),
    type === undefined ? undefined : eq(movements.type, type),
    kind === undefined ? undefined : eq(KIND, kind),
    status === undefined ? undefined : eq(movements.status, status),
    currency === undefined ? undefined : eq(movements.currency, currency),
    amountFrom === undefined ? undefined : gte(size, amountFrom),
    amountTo === undefined ? undefined : lte(size, amountTo),
    shown === undefined
      ? undefined
      : or(isShownAs(size, movements.currency, shown), isShownAs(sql`abs(${movements.chargedAmount})`, movements.chargedCurrency, shown)),
    payment === undefined || link === undefined ? undefined : eq(paymentLinkId, link),
    payment === undefined || reference === undefined ? undefined : isOf(reference),
  );
}
