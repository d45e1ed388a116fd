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

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: number;
}

/** All cells have the same tables, so each is asked for once. */
const columnsByTable = new Map<string, Promise<readonly Column[]>>();

function columnsOf(db: D1Database, { name }: MovedTable): Promise<readonly Column[]> {
  const read = async () =>
    (await db.prepare(`SELECT name, type, "notnull" AS required FROM pragma_table_info('${name}')`).all<Column>()).results;
  const known = columnsByTable.get(name) ?? read();
  columnsByTable.set(name, known);
  return known;
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

function insert(db: D1Database, { name }: MovedTable, row: Row): D1PreparedStatement {
  const columns = Object.keys(row);
  return db.prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`).bind(...Object.values(row));
}

const kindOf = (name: string) => {
  const kind = movedKinds.find(({ table }) => table.name === name);
  if (kind === undefined) throw new Error(`${name} does not move`);
  return kind;
};

let made = 0;

async function drawWithParts(db: D1Database, name: string, partnerId: string, random: Drawn, fixed: Row = {}) {
  const kind = kindOf(name);
  made += 1;
  const id = kind.isNumber ? 10 ** 14 + made : `01${String(made).padStart(6, "0")}`;
  const links = { partner_id: partnerId, endpoint_id: `ep_${partnerId}_test`, order_id: `order-${made}`, state: "completed", cell: "01" };
  const row = await drawRow(db, kind.table, random, { ...links, id, ...fixed });
  const statements = [insert(db, kind.table, row)];
  for (const { table, column, of } of kind.children) {
    const count = table.name === "endpoint_secrets" ? 1 : Math.floor(random() * 3);
    for (let number = 1; number <= count; number += 1) {
      const key = table.columns.includes("number") ? { number } : { id: `${row[kind.key]}-${number}` };
      statements.push(insert(db, table, await drawRow(db, table, random, { ...key, [column]: row[of] ?? null })));
    }
  }
  return { key: String(row[kind.key]), statements };
}

/** One more row of a kind, with its children. `fixed` says some of its columns. Returns its key. */
export async function addRow(db: D1Database, name: string, partnerId: string, random: Drawn, fixed: Row = {}): Promise<string> {
  const { key, statements } = await drawWithParts(db, name, partnerId, random, fixed);
  await db.batch(statements);
  return key;
}

/** All kinds of rows of a partner: at rest, unfinished, and its counts. */
export async function stock(db: D1Database, partnerId: string, random: Drawn, now = Date.now()): Promise<void> {
  const statements: D1PreparedStatement[] = [];
  const add = async (name: string, fixed: Row = {}) => {
    statements.push(...(await drawWithParts(db, name, partnerId, random, fixed)).statements);
  };
  for (const environment of ["live", "test"]) {
    await add("endpoints", { id: `ep_${partnerId}_${environment}`, environment, status: "active" });
  }
  for (const { table } of movedKinds) {
    if (table.name === "endpoints") continue;
    for (let count = 0; count < 3; count += 1) await add(table.name);
  }
  await add("events", { state: "pending", next_attempt_at: now + HOUR });
  await add("events", { state: "exhausted" });
  await add("idempotency_records", { state: "running", updated_at: now - HOUR });
  await add("idempotency_records", { state: "failed", compensate_at: now + HOUR });
  await add("bank_payments", { next_poll_at: now + HOUR });
  for (const table of movedCounts) statements.push(insert(db, table, await drawRow(db, table, random, { partner_id: partnerId })));
  await db.batch(statements);
}

/** All rows of a partner, as one text for each table. */
export async function allRowsOf(db: D1Database, partnerId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const reads = movedKinds.flatMap(({ table, children }) => [
    { table, where: "partner_id = ?" },
    ...children.map((child) => ({
      table: child.table,
      where: `${child.column} IN (SELECT ${child.of} FROM ${table.name} WHERE partner_id = ?)`,
    })),
  ]);
  reads.push(...movedCounts.map((table) => ({ table, where: "partner_id = ?" })));
  const found = await db.batch(
    reads.map(({ table, where }) => db.prepare(`SELECT ${table.columns.join()} FROM ${table.name} WHERE ${where}`).bind(partnerId)),
  );
  return Object.fromEntries(
    reads.map(({ table }, index) => [table.name, (found[index]?.results ?? []).map((row) => JSON.stringify(row)).toSorted()]),
  );
}
