import { client } from "../api/client.ts";
import { saveCsv } from "../shared/csv.ts";
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

/** Rows that one file may have: more would not fit into a spreadsheet. */
const MOST = 100_000;

/** Saves every movement of a filter as a file for a spreadsheet, page by page. `progress` gets the number of rows so far. */
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
  } while (cursor !== undefined && rows.length < MOST);
  saveCsv(`payments-${query.environment ?? "live"}.csv`, COLUMNS, rows);
}
