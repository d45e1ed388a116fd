import type { MovedTable } from "../../src/db/moved-rows.ts";
import { movedCounts, movedKinds } from "../../src/db/moved-rows.ts";

/** Rows of partners in the tables that move, made and read as the database has them. */

type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

const HOUR = 3_600_000;

/** A number from 0 to 1. */
type Drawn = () => number;

/** The values that a column may have; other texts are drawn. */
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  environment: ["live", "test"],
  manual: [0, 1],
  waiting: [0],
  state_before_resend: [null],
  disabled_at: [null],
  deactivated_at: [1],
  compensate_at: [null],
  next_poll_at: [null],
  expires_at: [null],
  slug: [null],
  currency: ["USD", "EUR"],
  status: ["completed", "pending", "failed"],
};

async function columnsOf(db: D1Database, table: MovedTable) {
  const { results } = await db
    .prepare(`SELECT name, type, "notnull" AS required FROM pragma_table_info('${table.name}')`)
    .all<{ name: string; type: string; required: number }>();
  return results;
}

async function drawRow(db: D1Database, table: MovedTable, random: Drawn, fixed: Row): Promise<Row> {
  const values = (await columnsOf(db, table)).map(({ name, type, required }): [string, Value] => {
    if (name in fixed) return [name, fixed[name] ?? null];
    const known = VALUES[name];
    if (known !== undefined) return [name, known[Math.floor(random() * known.length)] ?? null];
    if (required === 0 && random() < 0.3) return [name, null];
    return [name, type.toLowerCase() === "integer" ? Math.floor(random() * 2 ** 40) : `${name} é"\\'${Math.floor(random() * 1e9)}`];
  });
  return Object.fromEntries(values);
}

async function insert(db: D1Database, { name }: MovedTable, row: Row): Promise<void> {
  const columns = Object.keys(row);
  await db
    .prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`)
    .bind(...Object.values(row))
    .run();
}

const kindOf = (name: string) => {
  const kind = movedKinds.find(({ table }) => table.name === name);
  if (kind === undefined) throw new Error(`${name} does not move`);
  return kind;
};

let made = 0;

/** One more row of a kind, with its parts. `fixed` says some of its columns. Returns its key. */
export async function addRow(db: D1Database, name: string, partnerId: string, random: Drawn, fixed: Row = {}): Promise<string> {
  const kind = kindOf(name);
  made += 1;
  const id = kind.isNumber ? 10 ** 14 + made : `01${String(made).padStart(6, "0")}`;
  const links = { partner_id: partnerId, endpoint_id: `ep_${partnerId}_test`, order_id: `order-${made}`, state: "completed", cell: "01" };
  const row = await drawRow(db, kind.table, random, { ...links, id, ...fixed });
  await insert(db, kind.table, row);
  for (const { table, column, of } of kind.parts) {
    const count = table.name === "endpoint_secrets" ? 1 : Math.floor(random() * 3);
    for (let number = 1; number <= count; number += 1) {
      const key = table.columns.includes("number") ? { number } : { id: `${row[kind.key]}-${number}` };
      await insert(db, table, await drawRow(db, table, random, { ...key, [column]: row[of] ?? null }));
    }
  }
  return String(row[kind.key]);
}

/** All kinds of rows of a partner: at rest, unfinished, and its counts. */
export async function stock(db: D1Database, partnerId: string, random: Drawn, now = Date.now()): Promise<void> {
  for (const environment of ["live", "test"]) {
    await addRow(db, "endpoints", partnerId, random, { id: `ep_${partnerId}_${environment}`, environment, status: "active" });
  }
  for (const { table } of movedKinds) {
    if (table.name === "endpoints") continue;
    for (let count = 0; count < 3; count += 1) await addRow(db, table.name, partnerId, random);
  }
  await addRow(db, "events", partnerId, random, { state: "pending", next_attempt_at: now + HOUR });
  await addRow(db, "events", partnerId, random, { state: "exhausted" });
  await addRow(db, "idempotency_records", partnerId, random, { state: "running", updated_at: now - HOUR });
  await addRow(db, "idempotency_records", partnerId, random, { state: "failed", compensate_at: now + HOUR });
  await addRow(db, "bank_payments", partnerId, random, { next_poll_at: now + HOUR });
  for (const table of movedCounts) await insert(db, table, await drawRow(db, table, random, { partner_id: partnerId }));
}

/** All rows of a partner, as one text for each table. */
export async function allRowsOf(db: D1Database, partnerId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  const read = async ({ name, columns }: MovedTable, where: string) => {
    const { results } = await db.prepare(`SELECT ${columns.join()} FROM ${name} WHERE ${where}`).bind(partnerId).all();
    found[name] = results.map((row) => JSON.stringify(row)).toSorted();
  };
  for (const { table, parts } of movedKinds) {
    await read(table, "partner_id = ?");
    for (const part of parts) {
      await read(part.table, `${part.column} IN (SELECT ${part.of} FROM ${table.name} WHERE partner_id = ?)`);
    }
  }
  for (const table of movedCounts) await read(table, "partner_id = ?");
  return found;
}
