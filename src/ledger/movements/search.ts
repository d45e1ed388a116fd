import { and, eq, getTableColumns, gte, lte, type SQL, sql } from "drizzle-orm";
import { rankOf } from "../../core/movements.ts";
import { isOwnedBy, type ListData, newestOf, type OwnList } from "../../db/newest-page.ts";
import { movements } from "../../db/schema/ledger.ts";
import type { Movement, MovementType } from "../movement.ts";

const { partnerId, environment, transactionDate, id, paymentIntentId, clientReferenceId, paymentLinkId } = movements;

/** Which movements a person looks for; a field that is undefined does not restrict the list. */
export interface MovementSearch {
  readonly payment?: string | undefined;
  readonly reference?: string | undefined;
  readonly link?: string | undefined;
  readonly subscription?: string | undefined;
  readonly type?: MovementType | undefined;
  readonly status?: Movement["status"] | undefined;
  /** ISO 4217, upper case: the settlement currency. */
  readonly currency?: string | undefined;
  /** Bounds without a sign, inclusive, in minor units of `currency`. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
}

/**
 * The movements of an environment that a search finds, of a partner or of several, newest first. A page may be short: one page looks at a
 * limited number of rows. The order reference, the payment and the link are found by index.
 */
export async function searchMovements(data: ListData, list: OwnList, search: MovementSearch) {
  const page = await newestOf(
    data,
    list,
    { isOwn: keyOf(list, search), createdAt: transactionDate, id },
    (db) =>
      db
        .select({ ...getTableColumns(movements), createdAt: transactionDate })
        .from(movements)
        .$dynamic(),
    filterOf(search),
  );
  return { ...page, rows: inOrder(page.rows) };
}

/** Newest first. The processor's times are in seconds: within one, what follows a payment comes after it, as in operation 5. */
export function inOrder<Row extends { readonly at: number; readonly type: string | null }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => right.at - left.at || rankOf(right.type) - rankOf(left.type));
}

/** SQL condition: the row is of the list, by the index that finds the fewest rows. A plus keeps SQLite from another index. */
function keyOf(list: OwnList, { payment, reference, link }: MovementSearch): SQL | undefined {
  const isPlainlyOwn = and(isOwnedBy(sql`+${partnerId}`, list), sql`+${environment} = ${list.environment}`);
  if (payment !== undefined) return and(eq(paymentIntentId, payment), isPlainlyOwn);
  if (link !== undefined) return and(eq(paymentLinkId, link), isPlainlyOwn, reference === undefined ? undefined : isOf(reference));
  return and(isOwnedBy(partnerId, list), eq(environment, list.environment), reference === undefined ? undefined : isOf(reference));
}

const isOf = (reference: string) => eq(clientReferenceId, reference);

function filterOf({ subscription, type, status, currency, amountFrom, amountTo, payment, link, reference }: MovementSearch) {
  const size = sql`abs(${movements.amount})`;
  return and(
    subscription === undefined ? undefined : eq(movements.subscriptionId, subscription),
    type === undefined ? undefined : eq(movements.type, type),
    status === undefined ? undefined : eq(movements.status, status),
    currency === undefined ? undefined : eq(movements.currency, currency),
    amountFrom === undefined ? undefined : gte(size, amountFrom),
    amountTo === undefined ? undefined : lte(size, amountTo),
    payment === undefined || link === undefined ? undefined : eq(paymentLinkId, link),
    payment === undefined || reference === undefined ? undefined : isOf(reference),
  );
}
