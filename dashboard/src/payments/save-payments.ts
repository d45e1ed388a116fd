import { client } from "../api/client.ts";
import { saveCsv } from "../shared/csv.ts";
import { texts } from "../texts/index.ts";
import type { Movement, PaymentsQuery } from "./movement.ts";

const COLUMNS = [
  "transaction_date",
  "type",
  "status",
  "amount",
  "fee",
  "net_amount",
  "currency",
  "charged_amount",
  "charged_currency",
  "client_reference_id",
  "payment_intent_id",
  "payment_link_id",
  "subscription_id",
  "id",
] as const satisfies readonly (keyof Movement)[];

/** Rows that one file may have: a file that is cut must not look whole. */
const MOST = 100_000;

/**
 * Saves every movement of a filter as a file for a spreadsheet, page by page. `progress` gets the number of rows so far.
 * @throws Error if there are more rows than one file may have.
 */
export async function savePayments(query: PaymentsQuery, progress: (count: number) => void): Promise<void> {
  const rows: Movement[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await client.GET("/partner/payments", {
      params: { query: { ...query, limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
    });
    rows.push(...(data?.data ?? []));
    cursor = data?.next ?? undefined;
    progress(rows.length);
    if (rows.length > MOST) throw new Error(texts.payments.tooMany(MOST));
  } while (cursor !== undefined);
  const period = [query.since, query.until].filter((part) => part !== undefined).join("-to-");
  saveCsv(`payments-${query.environment ?? "live"}${period === "" ? "" : `-${period}`}.csv`, COLUMNS, rows);
}
