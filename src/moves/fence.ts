import { PARTNER_MOVED } from "../core/partner-moved.ts";
import type { Cell } from "../db/client.ts";
import { type MovedKind, movedCounts, movedKinds } from "../db/moved-rows.ts";

/**
 * Triggers that exist in a cell only while partners move from it or to it. So no other module has to know about moves,
 * and late writes to the old cell are refused.
 */
export interface Fence {
  readonly prefix: string;
  readonly triggers: ReadonlyMap<string, string>;
}

type Verb = "INSERT" | "UPDATE" | "DELETE";
type ChildTable = MovedKind["children"][number];
const VERBS: readonly Verb[] = ["INSERT", "UPDATE", "DELETE"];

function fenceOf(prefix: string, triggers: readonly (readonly [name: string, when: string, body: string])[]): Fence {
  return { prefix, triggers: new Map(triggers.map(([name, when, body]) => [prefix + name, `${when} BEGIN ${body}; END`])) };
}

/** The partners of a row, before and after the change. */
const partnersOf = (verb: Verb) =>
  verb === "INSERT" ? "NEW.partner_id" : verb === "DELETE" ? "OLD.partner_id" : "OLD.partner_id, NEW.partner_id";
const rowOf = (verb: Verb) => (verb === "DELETE" ? "OLD" : "NEW");

/** Whether the cell is closed for the partner of a row. */
const isClosed = (partners: string, phases = "'closed'") =>
  `EXISTS (SELECT 1 FROM departures WHERE partner_id IN (${partners}) AND phase IN (${phases}))`;

/** The owner row of a child row. */
const owner = ({ table }: MovedKind, { of, column }: ChildTable, row: "OLD" | "NEW") =>
  `${table.name} AS owner WHERE owner.${of} = ${row}.${column}`;

const REFUSE = `SELECT RAISE(ABORT, '${PARTNER_MOVED}')`;
const LEAVE_OUT = "SELECT RAISE(IGNORE)";

/** Notes which rows of a partner change during its move, so that they are copied again. */
function notesOf(kind: MovedKind) {
  const { table, key, children } = kind;
  const own = VERBS.map((verb) => {
    const whose = `departures WHERE partner_id IN (${partnersOf(verb)}) AND phase <> 'closed'`;
    const note = `INSERT INTO departure_changes (partner_id, name, key) SELECT partner_id, '${table.name}', ${rowOf(verb)}.${key} FROM ${whose}`;
    return [`notes_${table.name}_${verb}`, `AFTER ${verb} ON ${table.name}`, note] as const;
  });
  const ofChildren = children.flatMap((child) =>
    VERBS.map((verb) => {
      const whose = `(SELECT partner_id AS id, ${key} AS key FROM ${owner(kind, child, rowOf(verb))}) JOIN departures ON partner_id = id`;
      const note = `INSERT INTO departure_changes (partner_id, name, key) SELECT id, '${table.name}', key FROM ${whose} WHERE phase <> 'closed'`;
      return [`notes_${child.table.name}_${verb}`, `AFTER ${verb} ON ${child.table.name}`, note] as const;
    }),
  );
  return [...own, ...ofChildren];
}

/** Refuses writes once the cell is closed for the partner. */
function refusalsOf(kind: MovedKind) {
  const { table, children, leftOut } = kind;
  const { name, columns } = table;
  const isLeftOut = columns.flatMap((column) => (leftOut.includes(column) ? [] : [`NEW.${column} IS OLD.${column}`])).join(" AND ");
  const refuse =
    leftOut.length === 0 ? REFUSE : `SELECT CASE WHEN ${isLeftOut} THEN RAISE(IGNORE) ELSE RAISE(ABORT, '${PARTNER_MOVED}') END`;
  return [
    name === "idempotency_records"
      ? // No key begins once it closes. One that is known is answered, and what has begun goes on.
        ([
          `refuses_${name}_INSERT`,
          `BEFORE INSERT ON ${name} WHEN ${isClosed("NEW.partner_id", "'closing', 'closed'")} AND ${isNew}`,
          REFUSE,
        ] as const)
      : ([`refuses_${name}_INSERT`, `BEFORE INSERT ON ${name} WHEN ${isClosed("NEW.partner_id")}`, REFUSE] as const),
    [`refuses_${name}_UPDATE`, `BEFORE UPDATE ON ${name} WHEN ${isClosed(partnersOf("UPDATE"))}`, refuse] as const,
    ...children.flatMap((child) =>
      (child.isCount ? [] : (["INSERT", "UPDATE"] as const)).map((verb) => {
        const partners = `SELECT partner_id FROM ${owner(kind, child, "NEW")}`;
        // Attempts are recorded in batches with other partners'. All attempts of this partner were recorded before the
        // cell closed.
        const body = name === "events" ? LEAVE_OUT : REFUSE;
        return [`refuses_${child.table.name}_${verb}`, `BEFORE ${verb} ON ${child.table.name} WHEN ${isClosed(partners)}`, body] as const;
      }),
    ),
  ];
}
const isNew = "NOT EXISTS (SELECT 1 FROM idempotency_records WHERE id = NEW.id)";

/** The triggers of the old cell. */
export const outgoingFence = fenceOf("departing_", [
  ...movedKinds.flatMap(notesOf),
  ...movedKinds.flatMap(refusalsOf),
  // In a closing cell, no delivery starts and none waits for a slot; those in progress are recorded.
  [
    "skips_events_claim",
    `BEFORE UPDATE OF state, waiting ON events WHEN (NEW.state = 'sending' OR (NEW.waiting = 1 AND OLD.state = 'pending')) AND ${isClosed("NEW.partner_id", "'closing'")}`,
    LEAVE_OUT,
  ],
  // Counts cover many partners at once, and are repeated.
  ...movedCounts.flatMap(({ name, isRefused }) =>
    (["INSERT", "UPDATE"] as const).map(
      (verb) =>
        [`skips_${name}_${verb}`, `BEFORE ${verb} ON ${name} WHEN ${isClosed("NEW.partner_id")}`, isRefused ? REFUSE : LEAVE_OUT] as const,
    ),
  ),
]);

/** Only the move writes copies until they count: bulk updates and deletes of a cron skip them. */
const isCopy = (partners: string) =>
  `EXISTS (SELECT 1 FROM arrivals WHERE partner_id IN (${partners}) AND writing = 0 AND phase IN ('copying', 'verifying', 'closing', 'closed'))`;

/** The triggers of the new cell. */
export const incomingFence = fenceOf(
  "arriving_",
  movedKinds.flatMap((kind) =>
    (["UPDATE", "DELETE"] as const).flatMap((verb) => [
      [`skips_${kind.table.name}_${verb}`, `BEFORE ${verb} ON ${kind.table.name} WHEN ${isCopy("OLD.partner_id")}`, LEAVE_OUT] as const,
      ...kind.children.map((child) => {
        const { name } = child.table;
        return [
          `skips_${name}_${verb}`,
          `BEFORE ${verb} ON ${name} WHEN ${isCopy(`SELECT partner_id FROM ${owner(kind, child, "OLD")}`)}`,
          LEAVE_OUT,
        ] as const;
      }),
    ]),
  ),
);

/** The existing triggers, including those of an earlier build, by name. One round trip. */
async function triggersIn({ $client }: Cell, { prefix }: Fence): Promise<ReadonlyMap<string, string>> {
  const { results } = await $client
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, ?) = ?")
    .bind(prefix.length, prefix)
    .all<{ name: string; sql: string }>();
  return new Map(results.map(({ name, sql }) => [name, sql]));
}

/** Whether all triggers exist with the right text. One round trip. */
export async function hasTriggers(db: Cell, own: Fence): Promise<boolean> {
  const { triggers } = own;
  const there = await triggersIn(db, own);
  return there.size === triggers.size && [...triggers].every(([name, text]) => there.get(name) === `CREATE TRIGGER ${name} ${text}`);
}

/** Creates the triggers again. Two round trips. */
export async function createTriggers(db: Cell, own: Fence): Promise<void> {
  await replaceTriggers(
    db,
    own,
    [...own.triggers].map(([name, text]) => `CREATE TRIGGER ${name} ${text}`),
  );
}

/** Drops the triggers. Two round trips. */
export async function dropTriggers(db: Cell, own: Fence): Promise<void> {
  await replaceTriggers(db, own, []);
}

async function replaceTriggers(db: Cell, own: Fence, made: readonly string[]): Promise<void> {
  const names = new Set([...own.triggers.keys(), ...(await triggersIn(db, own)).keys()]);
  const dropped = [...names].map((name) => `DROP TRIGGER IF EXISTS ${name}`);
  await db.$client.batch([...dropped, ...made].map((text) => db.$client.prepare(text)));
}
