import * as z from "zod";
import { auditEntries } from "../../audit/audit-log.ts";
import { SERVICE_NAME } from "../../core/actor.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../../core/json.ts";
import { type AskedPeriod, periodOf, periodQuery } from "../calls/moments.ts";
import { keyIn, pageOf, pageQuery, sortedPage } from "../calls/paging.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth } from "./define.ts";
import { zoneOf } from "./rows.ts";
import { SELECTION_WEIGHT } from "./selection.ts";

type Entry = Awaited<ReturnType<typeof auditEntries>>[number];

/** Reads the entries of one database that come before a given one, newest first; null if the database is unreachable. */
type AskEntries = (before: { readonly at: number; readonly id: number }, limit: number) => Promise<readonly Entry[] | null>;

const auditKey = z.tuple([z.number(), z.int(), z.number()]);
const values = z.record(z.string(), z.unknown()).nullable();

export const entryView = z.object({
  at: z.string(),
  actor: z.string().describe("Of a partner: a key, a person, `support`, or the service"),
  action: z.string(),
  target: z.string(),
  before: values,
  after: values,
  request_id: z.string(),
});

const ownedEntry = entryView.extend({ partner_id: z.string().nullable() });

const fieldsOf = wire(ownedEntry);

const viewEntry = (entry: Entry) => ({
  ...fieldsOf(entry),
  before: valuesOf(entry.before),
  after: valuesOf(entry.after),
});

const valuesOf = (text: string | null): JsonObject | null => (text === null ? null : parseJson(jsonObjectSchema, text));

/** The beginnings of the names of a partner's own keys and people, and of the service. Any other name is that of an operator. */
const OWN_NAMES = ["person ", "holder of ", "agent ", SERVICE_NAME];
const isOwn = (actor: string): boolean => OWN_NAMES.some((name) => (name.endsWith(" ") ? actor.startsWith(name) : actor === name));

/** Whom a partner sees instead of an operator. */
const SUPPORT = "support";

/** By whom a partner's entries are searched: support by what is not its own, and no operator by name. */
function byActor(actor: string | undefined) {
  if (actor === SUPPORT) return { notBy: OWN_NAMES };
  return { actor: actor === undefined || isOwn(actor) ? actor : SUPPORT };
}

/** What support did to a partner's own things is shown whole; of anything else it did, only that it did. */
const OWN_THINGS =
  /^(?:employee|key|grant|confirmation|payment_link|promotion_code|subscription|endpoint|delivery|product|session|passkey|chat|webhook)\./;

/** An entry for the partner that it is about. */
function viewForPartner(entry: Entry) {
  const view = viewEntry(entry);
  if (isOwn(view.actor)) return view;
  return { ...view, actor: SUPPORT, ...(OWN_THINGS.test(view.action) ? {} : { before: null, after: null }) };
}

/** The databases whose entries the asker may see: the directory, and a partner's cells or all. */
function databasesOf({ deps, partner }: Asker, filter: Parameters<typeof auditEntries>[1]): readonly AskEntries[] {
  if (partner === null)
    return deps.databaseNames.map(
      (name) => (before, most) => deps.askDatabase(name, () => auditEntries(deps.inDatabase(name).db, filter, before, most)),
    );
  return [deps.directory, ...partner.own.data.cells.map(({ db }) => db)].map(
    (db) => (before, most) => auditEntries(db, filter, before, most),
  );
}

/** The entries of each database for one page, with their sort keys. `to`: the first page starts before this time. */
async function entriesFor(databases: readonly AskEntries[], to: number, limit: number, cursor: string | undefined) {
  const [at, lastPlace, lastId] = keyIn(cursor, auditKey) ?? [to, Number.MIN_SAFE_INTEGER, 0];
  const found = [];
  for (const [place, ask] of databases.entries()) {
    // Among entries of one time, those of earlier databases were shown before those of later ones.
    const id = -place === lastPlace ? lastId : -place < lastPlace ? Number.MAX_SAFE_INTEGER : 0;
    const rows = await ask({ at, id }, limit + 1);
    found.push(...(rows ?? []).map((row) => ({ ...row, key: [row.at, -place, row.id] as const })));
  }
  return found;
}

/** The query fields by which entries are searched. */
export const auditSearch = {
  target: z.string().optional().describe("The id of what was changed"),
  actor: z.string().optional().describe("Who changed it, as an entry names them: `person emp_…`, `holder of key_…`, `support`"),
};

/** What operators search by, besides. */
export const ofOperators = {
  partner: z.string().optional(),
  action: z.string().optional().describe("What was done, such as `product.reject`"),
  request: z.string().optional().describe("The `request_id` of the change"),
};

type AskedEntries = AskedPeriod & z.output<z.ZodObject<typeof auditSearch & typeof ofOperators & typeof pageQuery>>;

/** Entries, newest first. */
export async function auditPage(asker: Asker, { limit, cursor, target, partner, actor, action, request, ...period }: AskedEntries) {
  const { from, to } = periodOf(period, await zoneOf(asker, partner));
  const by = asker.partner === null ? { actor } : byActor(actor);
  const filter = { partnerId: asker.partner?.caller.partnerId ?? partner, target, ...by, action, requestId: request, from };
  const entries = await entriesFor(databasesOf(asker, filter), to, limit, cursor);
  return sortedPage(entries, limit, asker.partner === null ? viewEntry : viewForPartner);
}

export const auditCalls = [
  defineForBoth({
    query: z.object({ ...auditSearch, ...periodQuery, ...pageQuery }),
    partner: {
      command: "audit list",
      path: "/partner/audit",
      permission: "owner",
      // A filter by the actor looks at many rows.
      weight: SELECTION_WEIGHT,
      summary: "Who changed what in your account, and from what to what; newest first",
      answer: pageOf(entryView),
      example: "--since 2026-11-01",
    },
    operator: {
      role: "any",
      summary: "Who changed what, when, and from what to what; newest first",
      filters: ofOperators,
      answer: pageOf(ownedEntry),
      example: "--partner acme",
    },
    run: (asker, { query }) => auditPage(asker, query),
  }),
];
