import { env } from "cloudflare:workers";

export interface RowCounts {
  rowsRead: number;
  rowsWritten: number;
}

type Method = (this: object, ...args: unknown[]) => Promise<unknown>;

/**
 * What D1 says it read and wrote while `work` runs, as it is billed: a row of a table and each row of its indexes is one.
 * Statements whose answers come without figures are asked for the answer that has them.
 */
export async function meterRows(work: () => Promise<void>): Promise<RowCounts> {
  const counts: RowCounts = { rowsRead: 0, rowsWritten: 0 };
  const count = ({ meta }: D1Result) => {
    counts.rowsRead += meta.rows_read;
    counts.rowsWritten += meta.rows_written;
  };
  const database = Object.getPrototypeOf(env.CELL_1) as Record<string, Method>;
  const statement = Object.getPrototypeOf(env.CELL_1.prepare("SELECT 1")) as Record<string, Method>;
  const { batch } = database;
  const { all, raw, run } = statement;
  if (batch === undefined || all === undefined || raw === undefined || run === undefined) throw new Error("D1 is not what it was");
  database.batch = async function metered(...args) {
    const results = (await batch.apply(this, args)) as D1Result[];
    results.forEach(count);
    return results;
  };
  // What the test itself asks costs the service nothing.
  const textOf = (asked: object) => (asked as { statement?: string }).statement ?? "";
  const countOwn = (asked: object, result: D1Result) => {
    if (!textOf(asked).includes("by the test")) count(result);
  };
  statement.all = async function metered(...args) {
    const result = (await all.apply(this, args)) as D1Result;
    countOwn(this, result);
    return result;
  };
  statement.run = async function metered(...args) {
    const result = (await run.apply(this, args)) as D1Result;
    countOwn(this, result);
    return result;
  };
  statement.raw = async function metered() {
    const result = (await all.apply(this, [])) as D1Result<Record<string, unknown>>;
    count(result);
    // A question may be asked again, and then gives columns of one name apart; a change may not.
    const isQuestion = textOf(this).startsWith("select");
    return isQuestion ? raw.apply(this, []) : result.results.map((row) => Object.values(row));
  };
  try {
    await work();
  } finally {
    database.batch = batch;
    Object.assign(statement, { all, raw, run });
  }
  return counts;
}
